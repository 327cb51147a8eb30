import { create } from 'zustand'

const KEY = 'chartPatterns'

/** Patterns on bars for people who do not tell colours apart; kept in this browser. */
export const useDecal = create<{ on: boolean; toggle: () => void }>((set, get) => ({
  on: localStorage.getItem(KEY) === '1',
  toggle: () => {
    localStorage.setItem(KEY, get().on ? '0' : '1')
    set({ on: !get().on })
  },
}))
