// Assembles the code of the demo's bank (mocks/demo/bank): what both of its versions have, with what only one has.
//   node scripts/build-demo-bank.mjs
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { assembleFolders } from './build-harden-runtime.mjs'

const folderOf = (part) => fileURLToPath(new URL(`../mocks/demo/bank/${part}/`, import.meta.url))
const VERSIONS = ['9.3.1', '9.4.0']
/** minSdkVersion of the bank. */
const API = 26

/**
 * @param {string} version
 * @returns {Buffer} the dex file of its sources
 */
export const assembleBank = (version) => assembleFolders([folderOf('both'), folderOf(version)], API)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = VERSIONS.map((version) => [version, assembleBank(version).toString('base64')])
  writeFileSync(`${folderOf('.')}bank-dex.generated.json`, `${JSON.stringify(Object.fromEntries(files))}\n`)
}
