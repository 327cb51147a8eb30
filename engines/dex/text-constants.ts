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
    for (const { text, field } of part.constantTexts) entryOf(text).fields.push(field)
  }
  return [...texts.values()]
}

class TextConstant implements StringConstant {
  readonly value: string
  readonly fields: string[] = []
  readonly #base: CodeBase
  readonly #uses: { readonly part: CodePart; readonly index: number }[] = []

  constructor(base: CodeBase, value: string) {
    this.#base = base
    this.value = value
  }

  add(part: CodePart, index: number): void {
    this.#uses.push({ part, index })
  }

  get locations(): readonly CodeLocation[] {
    return this.#uses.flatMap(({ part, index }) => this.#base.locations(part, part.stringLocations, index))
  }
}
