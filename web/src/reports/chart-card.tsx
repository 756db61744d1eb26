import { ActionIcon, Skeleton, Tooltip } from '@mantine/core'
import { IconPhotoDown } from '@tabler/icons-react'
import type { EChartsType } from 'echarts/core'
import { Suspense, useState } from 'react'
import { calm } from '../platform/calm.ts'
import { idle } from '../ui/calm.ts'
import { lazy } from '../ui/lazy.ts'
import { saveFile } from '../ui/save-file.ts'
import type { ChartSpec } from './chart-spec.ts'
import styles from './reports.module.css'

// The figures first.
const Chart = lazy(async () => {
  await calm
  await idle()
  return import('./chart.tsx')
})

interface ChartCardProps {
  title: string
  spec: ChartSpec
}

const BAR = 30

/** A chart and the way to take it along as a picture; its figures are in the table under it. */
export function ChartCard({ title, spec }: ChartCardProps) {
  const [drawn, setDrawn] = useState<EChartsType>()
  const height = spec.kind === 'bars' ? Math.max(140, spec.names.length * BAR + 60) : 300
  const save = () => {
    if (!drawn) return
    const backgroundColor = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim()
    const picture = drawn.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor })
    const bytes = Uint8Array.from(atob(picture.slice(picture.indexOf(',') + 1)), (letter) => letter.charCodeAt(0))
    saveFile(new Blob([bytes], { type: 'image/png' }), `${title}.png`)
  }
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.cardHeader}>
        <h2>{title}</h2>
        <Tooltip label="Descargar imagen (PNG)">
          <ActionIcon
            className={styles.screenOnly}
            aria-label="Descargar imagen del gráfico"
            disabled={!drawn}
            onClick={save}
          >
            <IconPhotoDown size={18} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </header>
      <Suspense fallback={<Skeleton h={height} data-chart />}>
        <Chart
          spec={spec}
          label={`Gráfico: ${title}. Sus cifras están en la tabla.`}
          height={height}
          onReady={setDrawn}
        />
      </Suspense>
    </section>
  )
}
