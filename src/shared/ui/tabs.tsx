import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components'

/** Parts of one page, one shown at a time; the caller keeps `value` in the address. */
export function Tabs<Id extends string>({
  label,
  items,
  value,
  onChange,
}: {
  label: string
  items: readonly { id: Id; label: string; content: ReactNode }[]
  value: Id
  onChange: (id: Id) => void
}) {
  return (
    <AriaTabs selectedKey={value} onSelectionChange={(key) => onChange(key as Id)} className="min-w-0">
      <TabList aria-label={label} className="flex gap-1 overflow-x-auto overflow-y-hidden border-b px-3">
        {items.map((item) => (
          <Tab
            key={item.id}
            id={item.id}
            className="relative -mb-px flex h-10 flex-none cursor-pointer items-center border-b-2 border-transparent px-3 text-14 text-muted outline-none hover:text-text focus-visible:bg-hover selected:border-brand selected:font-semibold selected:text-brand-text"
          >
            {item.label}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel key={item.id} id={item.id} className="outline-none">
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
