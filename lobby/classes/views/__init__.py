"""The pages of classes: `coming` and `learning` for pupils, `teaching` for teachers."""
