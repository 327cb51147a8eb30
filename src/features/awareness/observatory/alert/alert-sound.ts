import { create } from 'zustand'

/** Sound of alerts, kept in this browser: off by default, for critical ones, or for every alert that gets a banner. */
export const SOUNDS = ['off', 'critical', 'all'] as const
export type SoundPolicy = (typeof SOUNDS)[number]
const KEY = 'alertSound'

type Sound = {
  policy: SoundPolicy
  /** The browser lets no sound through until somebody touches the page. */
  blocked: boolean
}
export const useSound = create<Sound>(() => ({ policy: readPolicy(), blocked: false }))

function readPolicy(): SoundPolicy {
  const saved = localStorage.getItem(KEY)
  return SOUNDS.find((one) => one === saved) ?? 'off'
}

let context: AudioContext | undefined

/** Chooses the policy. The press that chooses it is also what unlocks sound. */
export function chooseSound(policy: SoundPolicy): void {
  localStorage.setItem(KEY, policy)
  useSound.setState({ policy, blocked: false })
  if (policy !== 'off') void unlock().then((open) => open && tone(0.08))
}

/** Two tones for an alert that the policy names. What the browser refuses is shown, never assumed to have been heard. */
export async function soundAlert(critical: boolean): Promise<void> {
  const { policy } = useSound.getState()
  if (policy === 'off' || (policy === 'critical' && !critical)) return
  if (await unlock()) tone(0.25)
}

/** Tries to start sound; answers whether it runs. */
export async function unlock(): Promise<boolean> {
  try {
    context ??= new AudioContext()
    // A refusal shows as a promise that never settles: half a second is long enough.
    if (context.state !== 'running')
      await Promise.race([context.resume(), new Promise((wake) => setTimeout(wake, 500))])
  } catch {
    // No sound device: same as a muted one.
  }
  const open = context?.state === 'running'
  useSound.setState({ blocked: !open })
  return open
}

function tone(seconds: number): void {
  if (!context) return
  for (const [index, pitch] of [880, 660].entries()) {
    const from = context.currentTime + index * seconds
    const oscillator = context.createOscillator()
    const volume = context.createGain()
    oscillator.frequency.value = pitch
    volume.gain.setValueAtTime(0.0001, from)
    volume.gain.exponentialRampToValueAtTime(0.2, from + 0.02)
    volume.gain.exponentialRampToValueAtTime(0.0001, from + seconds)
    oscillator.connect(volume).connect(context.destination)
    oscillator.start(from)
    oscillator.stop(from + seconds)
  }
}
