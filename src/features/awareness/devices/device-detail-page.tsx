import { DevicePage } from './device-page.tsx'

export default function DeviceDetailPage() {
  return <DevicePage title="detail" first="failures" />
}
