import type { CodeBase } from './code-base.ts'
import type { CodePart } from './code-part.ts'
import type { CodeLocation, StringConstant } from './program.ts'

/** Each distinct text that code loads or a static field holds, in the order of the parts. */
export function textConstants(base: CodeBase): StringConstant[] {
  const texts = new Map<string, TextConstant>()
  const entryOf = (value: string): TextConstant => {
    let text = texts.get(value)
    if (!text) {
      text = new TextConstant(base, value)
      texts.set(value, text)
    }
    return text
  }
  for (const part of base.parts) {
    for (let index = 0; index < part.strings.count; index++)
      if (part.stringLocations.isNamed(index)) entryOf(part.strings.at(index)).add(part, index)
    for (const { text, field } of part.constantTexts) entryOf(text).addField(field)
  }
  return [...texts.values()]
}

/** Of most texts; tens of thousands need no list of their own. */
const NO_FIELDS: readonly string[] = []

class TextConstant implements StringConstant {
  readonly value: string
  fields: readonly string[] = NO_FIELDS
  readonly #base: CodeBase
  readonly #uses: { readonly part: CodePart; readonly index: number }[] = []

  constructor(base: CodeBase, value: string) {
    this.#base = base
    this.value = value
  }

  addField(field: string): void {
    this.fields = [...this.fields, field]
  }

  add(part: CodePart, index: number): void {
    this.#uses.push({ part, index })
  }

  get first(): CodeLocation | undefined {
    for (const { part, index } of this.#uses) {
      const found = this.#base.firstLocation(part, part.stringLocations, index)
      if (found) return found
    }
    return undefined
  }

  get locations(): readonly CodeLocation[] {
    return this.#uses.flatMap(({ part, index }) => this.#base.locations(part, part.stringLocations, index))
  }
}
