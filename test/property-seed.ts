/** Draws the cases of property tests from the seed of the run. */

import { configureGlobal } from 'fast-check'
import { testSeed } from './seed.ts'

configureGlobal({ seed: testSeed })
