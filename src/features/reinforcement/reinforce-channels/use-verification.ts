import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type ChannelsVerified, reinforceChannels, verifyChannels } from '#contracts/http/reinforce-channels.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'

/** Makes and verifies the packages of all channels without sending them; it stops where the user says so or leaves. */
export function useVerification(appid: string, file: string | undefined) {
  const client = useQueryClient()
  const running = useRef<AbortController>(undefined)
  const [isRunning, setRunning] = useState(false)
  /** Of one package: another one has none. */
  const [done, setDone] = useState<{ file: string; result: ChannelsVerified }>()
  useEffect(() => () => running.current?.abort(), [])
  async function start(): Promise<void> {
    if (file === undefined) return
    const controller = new AbortController()
    running.current = controller
    setRunning(true)
    try {
      let result: ChannelsVerified | null = null
      while (!result && !controller.signal.aborted)
        ({ result } = await call(verifyChannels, { body: { appid, file: Number(file) }, signal: controller.signal }))
      if (result) setDone({ file, result })
      await client.invalidateQueries({ queryKey: endpointKey(reinforceChannels) })
    } catch {
      // A refusal was shown by the call; stopped, there is nothing to say.
    } finally {
      if (running.current === controller) setRunning(false)
    }
  }
  function stop(): void {
    running.current?.abort()
    setRunning(false)
  }
  return { isRunning, result: done?.file === file ? done?.result : undefined, start, stop }
}
