sml: 1
dataset: iris@1
about: Sepals and petals of 150 irises of three kinds, in centimetres.
source: R. A. Fisher, The use of multiple measurements in taxonomic problems, 1936, as in scikit-learn 0.18
licence: CC BY 4.0
files:
  iris.csv: sha256:6027dafdbe4d2070d1e3ed287ad858862cc95b89ccc9de4677d267be5602785d
format: csv
skip: 1
arrays:
  lengths: { columns: 0..3 }
  kind: { columns: 4, classes: true }
