import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { processMark } from '#server/supervisor/process-mark.ts'

/** A network that has loopback alone, and everything that runs in it. Needs root. */
export type TestNetwork = {
  /** The command in this network. */
  command(args: readonly string[]): string[]
  /** SIGKILL for everything that runs in the network, which stays open. Answers how many processes that were. */
  killAll(): Promise<number>
  /** Ends every process of the network: all that the test started there, whatever started it. Answers how many had to be killed. */
  end(): Promise<number>
}

export async function openTestNetwork(): Promise<TestNetwork> {
  // It ends by itself where this process is killed.
  const script = 'ip link set lo up; echo up; while kill -0 "$1" 2>/dev/null; do sleep 1; done'
  const holder = spawn('unshare', ['--net', 'sh', '-c', script, 'sh', String(process.pid)])
  await once(holder.stdout, 'data')
  const name = readlinkSync(`/proc/${holder.pid}/ns/net`)
  const members = () => allProcesses().filter((pid) => networkOf(pid) === name)
  return {
    command: (args) => ['nsenter', `--net=/proc/${holder.pid}/ns/net`, ...args],
    killAll: () => endProcesses(() => members().filter((pid) => pid !== holder.pid && parentOf(pid) !== holder.pid)),
    end: () => endProcesses(members),
  }
}

/** The process and its descendants as they are now. */
export function treeOf({ pid, exitCode, signalCode }: Pick<ChildProcess, 'pid' | 'exitCode' | 'signalCode'>): number[] {
  if (pid === undefined || exitCode !== null || signalCode !== null) return []
  const parents = new Map(allProcesses().map((one) => [one, parentOf(one)]))
  const found = [pid]
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child)
  return found
}

/** SIGKILL until none of them is left: each only while it is the same process. Answers how many there were. */
export async function endProcesses(pids: () => number[]): Promise<number> {
  const ended = new Set<string>()
  for (const giveUp = Date.now() + 10_000; Date.now() < giveUp; ) {
    const marks = new Map(pids().map((pid) => [pid, processMark(pid)]))
    const living = [...marks].filter(([, mark]) => !mark.endsWith(' gone'))
    if (living.length === 0) break
    for (const [pid, mark] of living) {
      if (processMark(pid) !== mark) continue
      process.kill(pid, 'SIGKILL')
      ended.add(mark)
    }
    await new Promise((done) => setTimeout(done, 50))
  }
  return ended.size
}

const allProcesses = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`)
  } catch {
    return undefined // it ended
  }
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined // it ended
  }
}
