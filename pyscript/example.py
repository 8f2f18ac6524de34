"""x"""
import json
from pyscript import sync
import scellis, numpy

def run():
    return json.dumps({"v": scellis.ENGINE_VERSION, "np": numpy.__version__})
sync.run = run
