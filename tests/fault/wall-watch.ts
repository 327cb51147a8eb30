import { io } from 'socket.io-client'
import { liveTicket } from '#contracts/http/observatory.ts'
import { LIVE_PATH, type LiveMessage, type PositionRange, type SubscribeAnswer } from '#contracts/live/messages.ts'
import type { Filter } from '#domain/query.ts'
import type { Api } from '../support/api.ts'

/** A second client of the relay, written against the contract alone: connects like a wall, checks positions, catches up. */
export function watchWall(url: string, api: Api, filters: Filter[] = []) {
  let frames = 0
  let gaps = 0
  let caughtUp = 0
  let attacksToday = -1
  let lastFrameAt = 0
  let topic = ''
  const expected = new Map<string, number>()
  const socket = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    reconnectionDelay: 200,
    reconnectionDelayMax: 1000,
    // A ticket serves once: a fresh one for each attempt.
    auth: (answer) => {
      api(liveTicket).then(
        ({ ticket }) => answer({ ticket }),
        () => answer({ ticket: 'none' }),
      )
    },
  })
  socket.on('connect_error', () => {
    // The server refused the ticket (it was away): socket.io does not try again by itself then.
    if (!socket.active) setTimeout(() => socket.connect(), 300)
  })
  socket.on('connect', subscribe)
  socket.on('message', (message: LiveMessage) => {
    if (message.type === 'snapshot') {
      if (expected.size > 0) caughtUp++
      for (const { journal, to } of message.positions) expected.set(journal, to)
      attacksToday = message.counters.attacksToday
      lastFrameAt = Date.now()
    }
    if (message.type === 'frame') {
      if (!contiguous(message.positions)) {
        gaps++
        socket.emit('snapshot', topic)
        return
      }
      frames++
      attacksToday = message.counters.attacksToday
      lastFrameAt = Date.now()
    }
  })

  /** Asks again where the relay cannot answer yet. */
  function subscribe(): void {
    socket.emit('subscribe', { topic: { kind: 'wall', filters } }, (answer: SubscribeAnswer) => {
      if ('topic' in answer) topic = answer.topic
      else setTimeout(() => socket.connected && subscribe(), 300)
    })
  }

  function contiguous(positions: readonly PositionRange[]): boolean {
    const fits = positions.every(({ journal, from }) => (expected.get(journal) ?? from) === from)
    if (fits) for (const { journal, to } of positions) expected.set(journal, to)
    return fits
  }

  return {
    /** Frames flow: one came within the last second. */
    live: () => socket.connected && Date.now() - lastFrameAt < 1000,
    frames: () => frames,
    attacksToday: () => attacksToday,
    gaps: () => gaps,
    /** Snapshots after the first one: each gap and each reconnection must bring one. */
    caughtUp: () => caughtUp,
    close: () => socket.close(),
  }
}
