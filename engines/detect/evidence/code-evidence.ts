import type { CodeLocation, Program } from '../../dex/program.ts'
import type { Location } from '../result/scan-result.ts'
import { locationOfCode } from './locations.ts'

/** A location in code as evidence, with the instructions around it. */
export function codeEvidence(program: Program, location: CodeLocation, lines = 3): Location {
  return { ...locationOfCode(location), snippet: program.listing(location, lines) }
}
