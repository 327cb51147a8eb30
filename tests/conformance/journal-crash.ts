import { openJournal } from '#storage/journal/open-journal.ts'
import { batch } from './journal.ts'

/** Appends numbered entries for ever, several at a time, and prints each number once it is acknowledged; killed by journal.test.ts. */
const [folder, first] = process.argv.slice(2) as [string, string]
const writer = await openJournal(folder, { maxBacklogBytes: 1e12, segmentBytes: 20_000 })
for (let next = Number(first); ; next += 8) {
  const numbers = Array.from({ length: 8 }, (_, i) => next + i)
  await Promise.all(numbers.map((number) => writer.append(batch(number, 1 + (number % 20)))))
  process.stdout.write(numbers.map((number) => `${number}\n`).join(''))
}
