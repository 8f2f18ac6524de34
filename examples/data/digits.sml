sml: 1
dataset: digits@1
about: 1797 handwritten digits of 43 people, 8 by 8 pixels of 17 shades.
source: E. Alpaydin, C. Kaynak, Optical recognition of handwritten digits, UCI Machine Learning Repository, 1998, as in scikit-learn 1.7.2
licence: CC BY 4.0
files:
  digits.csv.gz: sha256:09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22
format: csv
arrays:
  images: { columns: 0..63, shape: [1, 8, 8], scale: 0.0625 }
  labels: { columns: 64, classes: true }
