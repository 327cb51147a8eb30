import type { References, Texts } from '../dex/code-part.ts'

/** Texts that are numbered as they come. */
export class InternedNames implements Texts {
  private readonly list: string[] = []
  private readonly numbers = new Map<string, number>()

  get count(): number {
    return this.list.length
  }

  add(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.numbers.set(text, this.list.length)
    this.list.push(text)
    return this.list.length - 1
  }

  at(index: number): string {
    return this.list[index] ?? ''
  }

  find(text: string): number {
    return this.numbers.get(text) ?? -1
  }

  beginning(text: string): readonly string[] {
    return this.list.filter((one) => one.startsWith(text))
  }
}

/** Methods or fields that are numbered as they come. */
export class InternedReferences implements References {
  private readonly rows: { readonly owner: string; readonly name: string; readonly signature: string }[] = []
  private readonly numbers = new Map<string, number>()
  private readonly byName = new Map<string, number[]>()
  private readonly byOwner = new Map<string, number[]>()

  get count(): number {
    return this.rows.length
  }

  add(owner: string, name: string, signature: string): number {
    const key = `${owner}->${name}${signature}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const index = this.rows.length
    this.numbers.set(key, index)
    this.rows.push({ owner, name, signature })
    listAt(this.byName, name).push(index)
    listAt(this.byOwner, owner).push(index)
    return index
  }

  owner(index: number): string {
    return this.rows[index]!.owner
  }

  name(index: number): string {
    return this.rows[index]!.name
  }

  signature(index: number): string {
    return this.rows[index]!.signature
  }

  named(name: string): readonly number[] {
    return this.byName.get(name) ?? []
  }

  ownedBy(descriptor: string): readonly number[] {
    return this.byOwner.get(descriptor) ?? []
  }
}

function listAt(lists: Map<string, number[]>, key: string): number[] {
  const known = lists.get(key)
  if (known) return known
  const list: number[] = []
  lists.set(key, list)
  return list
}
