/**
 * The seed of the property tests. By itself each run draws its own, so that many runs see much; a run that
 * sets `OVERROUND_TEST_SEED` can be repeated, and CI sets it by the commit.
 */

import { configureGlobal } from 'fast-check'

const seed = Number(process.env.OVERROUND_TEST_SEED)
if (Number.isInteger(seed) && seed > 0) configureGlobal({ seed })
