sml: 1
dataset: breast_cancer@1
about: Thirty measures of the nuclei of cells of 569 breast tumours; 0 is malignant, 1 benign.
source: W. Wolberg, W. Street, O. Mangasarian, Breast cancer Wisconsin (diagnostic), UCI Machine Learning Repository, 1995, as in scikit-learn 0.18
licence: CC BY 4.0
files:
  breast_cancer.csv: sha256:9aec477dd15b75a2c96a23845831eb08dfa87d76f279d62bbad663497ecca02b
format: csv
skip: 1
arrays:
  measures: { columns: 0..29 }
  kind: { columns: 30, classes: true }
