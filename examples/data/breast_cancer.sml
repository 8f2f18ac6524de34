sml: 1
dataset: breast_cancer@1
about: Thirty measures of the nuclei of cells of 569 breast tumours; 0 is malignant, 1 benign.
source: W. Wolberg, W. Street, O. Mangasarian, Breast cancer Wisconsin (diagnostic), UCI Machine Learning Repository, 1995, as in scikit-learn 1.7.2
licence: CC BY 4.0
files:
  breast_cancer.csv: sha256:fed3eb72d0575ef6192293f5093c6e801b1476b577d0386bf4455504522172ed
format: csv
skip: 1
arrays:
  measures: { columns: 0..29 }
  kind: { columns: 30, classes: true }
