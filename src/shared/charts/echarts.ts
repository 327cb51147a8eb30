import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import ChartCore from 'echarts-for-react/esm/core.js'
import type { EChartsReactProps } from 'echarts-for-react/esm/types.js'
import type { ComponentType } from 'react'
import { token } from '../theme/tokens.ts'

/** The drawing library with what our charts use, and one theme a face made from the tokens. Loaded lazily: it is a chunk of its own. */
echarts.use([BarChart, LineChart, GridComponent, AriaComponent, CanvasRenderer])

const registered = new Set<string>()

/** Name of the theme of the face that shows now; registers it at first use. `face` comes from useFace. */
export function themeName(face: string): string {
  if (!registered.has(face)) {
    registered.add(face)
    const axis = {
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { color: token('muted'), fontSize: 12 },
      splitLine: { lineStyle: { color: token('line'), width: 1 } },
    }
    echarts.registerTheme(face, {
      darkMode: face.startsWith('dark'),
      backgroundColor: 'transparent',
      color: [1, 2, 3, 4, 5, 6].map((n) => token(`series-${n}`)),
      textStyle: { fontFamily: token('font-sans'), color: token('text') },
      categoryAxis: axis,
      valueAxis: axis,
    })
  }
  return face
}

/** Its package is typed as CommonJS while the file is a module, so the type of the default import is said here. */
export const EChart = ChartCore as unknown as ComponentType<EChartsReactProps>
export { echarts }
