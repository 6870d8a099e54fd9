chan c = [2] of { byte, unsigned };
