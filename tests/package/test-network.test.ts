import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { processMark } from '#server/supervisor/process-mark.ts'
import { endProcesses, openTestNetwork, treeOf } from './test-network.ts'

/** A program that ignores SIGTERM and starts another one, in a session of its own, that does too; prints both ids. */
const STUBBORN = `trap '' TERM; setsid sh -c 'trap "" TERM; echo $$; sleep 600' & echo $$; wait`
const isGone = (pid: number) => processMark(pid).endsWith(' gone')

async function startStubborn(args: readonly string[]): Promise<{ child: ReturnType<typeof spawn>; pids: number[] }> {
  const [file = '', ...rest] = args
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  await expect.poll(() => text.trim().split('\n').length, { timeout: 5000 }).toBe(2)
  return { child, pids: text.trim().split('\n').map(Number) }
}

test.skipIf(process.platform !== 'linux')('the processes of a failed test end with it, and no others', async () => {
  const others = await startStubborn(['sh', '-c', STUBBORN])
  const { child, pids } = await startStubborn(['sh', '-c', STUBBORN])
  try {
    const tree = treeOf(child)
    expect(tree).toEqual(expect.arrayContaining(pids))
    const exit = once(child, 'exit')
    expect(await endProcesses(() => tree)).toBeGreaterThanOrEqual(2)
    await exit
    expect(pids.filter((pid) => !isGone(pid))).toEqual([])
    expect(others.pids.filter(isGone)).toEqual([])
  } finally {
    const rest = treeOf(others.child)
    await endProcesses(() => rest)
  }
})

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
test.skipIf(!isRoot)('everything in the network of a test ends with it, also what lost its parent', async (context) => {
  const network = await Promise.race([
    openTestNetwork(),
    new Promise<undefined>((no) => setTimeout(no, 3000, undefined)),
  ])
  if (!network) return context.skip() // creating a network needs a privilege that this container lacks
  const { child, pids } = await startStubborn(network.command(['sh', '-c', STUBBORN]))
  const exit = once(child, 'exit')
  child.kill('SIGKILL') // its child lives on without a parent
  await exit
  expect(pids.filter((pid) => !isGone(pid))).toHaveLength(1)
  expect(await network.end()).toBeGreaterThanOrEqual(1)
  expect(pids.filter((pid) => !isGone(pid))).toEqual([])
})
