import { EntityPage } from './entity-page.tsx'

/** /statistics/analyzer_system: every device heard from in the range. */
export default function ActiveDevicesPage() {
  return <EntityPage entity="device" />
}
