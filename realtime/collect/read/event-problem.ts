/** Why one event of a batch is rejected while the others are taken: the field, and one line in English that begins with it. */
export class EventProblem extends Error {
  readonly field: string
  constructor(field: string, message: string) {
    super(`${field} ${message}`)
    this.name = 'EventProblem'
    this.field = field
  }
}
