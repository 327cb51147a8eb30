import { END_MARK, type Instruction, instruction } from '../dex-edit/code-body.ts'
import { type DexModel, methodsOf } from '../dex-edit/dex-model.ts'
import { editCode } from '../dex-edit/edit-code.ts'
import type { SeededRandom } from './seeded-random.ts'

const NOP = 0x0000
const GOTO = 0x0028
/** move-result and its kin, move-exception: nothing may come between them and what they take the value of. */
const TAKES_VALUE = { from: 0x0a, to: 0x0d }
/** One of so many places gets something. */
const RARITY = 3

/** Puts instructions without effect, others in each build, between those of all methods, so that no two builds have their code in common. */
export function varyCode(model: DexModel, random: SeededRandom): void {
  for (const one of model.classes)
    for (const method of methodsOf(one)) {
      const body = editCode(model, method)
      if (!body) continue
      body.instructions = body.instructions.flatMap((next) =>
        takes(next, random) ? [nothing(next, random), next] : [next],
      )
    }
}

function takes({ opcode, table }: Instruction, random: SeededRandom): boolean {
  if (table || opcode === END_MARK || (opcode >= TAKES_VALUE.from && opcode <= TAKES_VALUE.to)) return false
  return random.below(RARITY) === 0
}

/** A nop, or a jump to what follows anyway. */
function nothing(next: Instruction, random: SeededRandom): Instruction {
  if (random.below(2)) return instruction([NOP])
  const jump = instruction([GOTO])
  jump.target = next
  return jump
}
