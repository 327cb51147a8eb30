// Assembles the classes that reinforcement adds to a package: engines/harden/runtime/*.smali to engines/harden/runtime/runtime-dex.generated.json.
//   node --import tsx scripts/build-harden-runtime.mjs
import { writeFileSync } from 'node:fs'
import { assembleRuntime } from '../tests/host-runtime/assemble-runtime.ts'

const file = new URL('../engines/harden/runtime/runtime-dex.generated.json', import.meta.url)
writeFileSync(file, `${JSON.stringify({ dex: Buffer.from(assembleRuntime()).toString('base64') })}\n`)
