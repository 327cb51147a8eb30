import { DevicePage } from './device-page.tsx'

export default function UserCheckPage() {
  return <DevicePage title="detail" first="overview" />
}
