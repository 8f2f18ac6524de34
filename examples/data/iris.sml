sml: 1
dataset: iris@1
about: Sepals and petals of 150 irises of three kinds, in centimetres.
source: R. A. Fisher, The use of multiple measurements in taxonomic problems, 1936, as in scikit-learn 1.7.2
licence: CC BY 4.0
files:
  iris.csv: sha256:f13ffa8fdd56fd8e6c8d16d4081a3fbd3114bcd0aae4256c43205169cd9d1449
format: csv
skip: 1
arrays:
  lengths: { columns: 0..3 }
  kind: { columns: 4, classes: true }
