import { expect, test } from 'vitest'
import { isCarriedOut, REINFORCE_OPTION_KEYS } from '#domain/reinforce-options.ts'
import { HARDEN_OPTIONS } from '#engines/harden/hardening.ts'

test('[HARD-02] what policies say this version implements is what its engine implements', () => {
  expect(REINFORCE_OPTION_KEYS.filter(isCarriedOut).toSorted()).toEqual([...HARDEN_OPTIONS].toSorted())
})
