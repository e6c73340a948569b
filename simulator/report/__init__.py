"""What a run of a suite looks like to its reader: one formatter a file. They read judgements and decide nothing."""
