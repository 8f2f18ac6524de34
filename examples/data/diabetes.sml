sml: 1
dataset: diabetes@1
about: Ten measures of 442 people with diabetes, each of mean 0 and one scale, and how the illness went on within a year.
source: B. Efron, T. Hastie, I. Johnstone, R. Tibshirani, Least angle regression, 2004, as in scikit-learn 0.18
files:
  diabetes_data.csv.gz: sha256:5a21b8e4ecef9a4fd738f72b09f9ddfb786cbbf4e401f78b43050b6b92eedea8
  diabetes_target.csv.gz: sha256:8e53f65eb811df43c206f3534bb3af0e5fed213bc37ed6ba36310157d6023803
format: csv
delimiter: " "
arrays:
  measures: { columns: 0..9 }
  progress: { columns: 0, file: diabetes_target.csv.gz, shape: [1] }
