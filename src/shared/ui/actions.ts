import { useEffect, useId } from 'react'
import { create } from 'zustand'
import type { IconType } from './icon.tsx'

/**
 * The one registry of what a user can do here: command palette, keyboard sheet and key handler all read it, so that no key is secret.
 * Labels come in the current language; `keys` is one key (`t`, `[`, `?`), a sequence (`g o`) or `Mod+k` (Ctrl, on a Mac Cmd).
 */
export type Action = {
  /** Stable, `area.verb`. */
  id: string
  label: string
  /** Heading in palette and sheet. */
  group: string
  keys?: string
  icon?: IconType
  /** Further words that find it in the palette. */
  words?: string
  isDisabled?: boolean
  run: () => void
}

type Registry = { byOwner: ReadonlyMap<string, readonly Action[]> }
const useRegistry = create<Registry>(() => ({ byOwner: new Map() }))

/** Offers these actions while the component is mounted. The newest owner of a key or id wins. */
export function useActions(actions: readonly Action[]): void {
  const owner = useId()
  useEffect(() => {
    useRegistry.setState(({ byOwner }) => {
      const known = byOwner.get(owner)
      if (known && same(known, actions)) return { byOwner }
      return { byOwner: new Map(byOwner).set(owner, actions) }
    })
    live.set(owner, actions)
  })
  useEffect(
    () => () => {
      live.delete(owner)
      useRegistry.setState(({ byOwner }) => {
        const rest = new Map(byOwner)
        rest.delete(owner)
        return { byOwner: rest }
      })
    },
    [owner],
  )
}

/** The newest closures of each owner: `run` is looked up here, so that registering again at each render needs no state change. */
const live = new Map<string, readonly Action[]>()

/** All actions offered now, without doubles. */
export function useOfferedActions(): readonly Action[] {
  return unique(useRegistry((state) => state.byOwner))
}

/** The same, outside components (key handler). */
export function offeredActions(): readonly Action[] {
  return unique(live)
}

/** Runs the newest closure of an action. */
export function runAction(id: string): void {
  const action = offeredActions().find((one) => one.id === id)
  if (action && !action.isDisabled) action.run()
}

function unique(byOwner: ReadonlyMap<string, readonly Action[]>): readonly Action[] {
  const byId = new Map<string, Action>()
  for (const actions of byOwner.values()) for (const action of actions) byId.set(action.id, action)
  return [...byId.values()]
}

function same(a: readonly Action[], b: readonly Action[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, index) => {
      const other = b[index]
      return (
        other !== undefined &&
        one.id === other.id &&
        one.label === other.label &&
        one.group === other.group &&
        one.keys === other.keys &&
        one.isDisabled === other.isDisabled
      )
    })
  )
}
