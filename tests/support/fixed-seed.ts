import fc from 'fast-check'

// The same commit gives the same verdict everywhere: properties are tried from one seed, unless FAST_CHECK_SEED names another.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['FAST_CHECK_SEED'] ?? 20_261_121) })
