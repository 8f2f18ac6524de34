// The trainings that come with the page, by their ids; the first is the one that the start offers.

export const TRAININGS = ["digits_mlp", "digits_cnn", "book_transformer", "iris", "breast_cancer", "diabetes"];
