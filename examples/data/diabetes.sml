sml: 1
dataset: diabetes@1
about: Age, sex, body mass index, blood pressure and six blood values of 442 people with diabetes, and how the illness went on within a year.
source: B. Efron, T. Hastie, I. Johnstone, R. Tibshirani, Least angle regression, 2004, as in scikit-learn 1.7.2
files:
  diabetes_data_raw.csv.gz: sha256:a3e94cc7cea00f8a84fa5f6345203913a68efa42df18f87ddf9bead721bfd503
  diabetes_target.csv.gz: sha256:8e53f65eb811df43c206f3534bb3af0e5fed213bc37ed6ba36310157d6023803
format: csv
delimiter: " "
arrays:
  measures: { columns: 0..9 }
  progress: { columns: 0, file: diabetes_target.csv.gz, shape: [1] }
