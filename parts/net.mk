# Parts that talk to other programs and machines.
parts_net =
