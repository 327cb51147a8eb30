import { EntityPage } from '#src/features/statistics/parts/entity-page.tsx'

/** /statistics/analyzer_system: devices heard from, the new ones, the attacked ones. */
export default function ActiveDevicesPage() {
  return <EntityPage page="active_devices" />
}
