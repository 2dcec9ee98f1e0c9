"""What lies here is read by tests and holds none itself: the sample game's are run where it is added."""

collect_ignore_glob = ["*"]
