import type { NewRows } from './assemble-code.ts'
import type { DexModel } from './dex-model.ts'
import { compareLists } from './read-dex-model.ts'
import type { UsedRows } from './used-rows.ts'

/** Old rows in their new order, and the new number of each old row. */
interface SortedTable {
  readonly rows: readonly number[]
  readonly numbers: Int32Array
}

/** The tables of a file to write: what is used, in the order that the format wants. */
export class SortedTables implements NewRows {
  readonly strings: SortedTable
  readonly types: SortedTable
  readonly protos: SortedTable
  readonly fields: SortedTable
  readonly methods: SortedTable
  readonly handles: SortedTable
  readonly callSites: SortedTable

  constructor(model: DexModel, used: UsedRows) {
    const { strings, types, protos, fields, methods } = model
    // Texts go by their UTF-16 code units, as the language compares them.
    this.strings = sorted(used.strings.marks, (a, b) => (strings[a]! < strings[b]! ? -1 : 1))
    this.types = sorted(used.types.marks, (a, b) => this.string(types[a]!) - this.string(types[b]!))
    const protoKeys = protos.map(({ returnType, parameters }) => [
      this.type(returnType),
      ...parameters.map((one) => this.type(one)),
    ])
    this.protos = sorted(used.protos.marks, (a, b) => compareLists(protoKeys[a]!, protoKeys[b]!))
    this.fields = sorted(used.fields.marks, (a, b) => {
      const [x, y] = [fields[a]!, fields[b]!]
      return (
        this.type(x.owner) - this.type(y.owner) ||
        this.string(x.name) - this.string(y.name) ||
        this.type(x.type) - this.type(y.type)
      )
    })
    this.methods = sorted(used.methods.marks, (a, b) => {
      const [x, y] = [methods[a]!, methods[b]!]
      return (
        this.type(x.owner) - this.type(y.owner) ||
        this.string(x.name) - this.string(y.name) ||
        this.proto(x.proto) - this.proto(y.proto)
      )
    })
    // These have no order of their own.
    this.handles = sorted(used.handles.marks)
    this.callSites = sorted(used.callSites.marks)
  }

  string(row: number): number {
    return row < 0 ? -1 : this.strings.numbers[row]!
  }

  type(row: number): number {
    return row < 0 ? -1 : this.types.numbers[row]!
  }

  proto(row: number): number {
    return this.protos.numbers[row]!
  }

  field(row: number): number {
    return this.fields.numbers[row]!
  }

  method(row: number): number {
    return this.methods.numbers[row]!
  }

  handle(row: number): number {
    return this.handles.numbers[row]!
  }

  callSite(row: number): number {
    return this.callSites.numbers[row]!
  }
}

function sorted(marks: Uint8Array, order?: (a: number, b: number) => number): SortedTable {
  const rows: number[] = []
  for (let row = 0; row < marks.length; row++) if (marks[row]) rows.push(row)
  // Rows of a file are sorted already, so that this costs little.
  if (order) rows.sort(order)
  const numbers = new Int32Array(marks.length).fill(-1)
  rows.forEach((row, i) => {
    numbers[row] = i
  })
  return { rows, numbers }
}
