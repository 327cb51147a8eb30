import type { CodeSite, Program } from '../dex/program.ts'
import { placeOfSite } from './rules/hits.ts'
import type { Place } from './scan-result.ts'

/** A place in code as evidence, with the instructions around it. */
export function codePlace(program: Program, site: CodeSite, lines = 3): Place {
  return { ...placeOfSite(site), snippet: program.listing(site, lines) }
}
