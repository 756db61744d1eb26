import { ActionIcon, Tooltip } from '@mantine/core'
import { IconPhotoDown } from '@tabler/icons-react'
import { useRef } from 'react'
import { saveFile } from '../ui/save-file.ts'
import { Chart, type TakePicture } from './chart.tsx'
import type { ChartSpec } from './chart-spec.ts'
import styles from './reports.module.css'

interface ChartCardProps {
  title: string
  spec: ChartSpec
}

const BAR = 30

/** A chart and the way to take it along as a picture; its figures are in the table under it. */
export function ChartCard({ title, spec }: ChartCardProps) {
  const picture = useRef<TakePicture>(undefined)
  const height = spec.kind === 'bars' ? Math.max(140, spec.names.length * BAR + 60) : 300
  const save = async () => {
    const taken = await picture.current?.()
    if (taken) saveFile(taken, `${title}.png`)
  }
  return (
    <section className={styles.card} aria-label={title}>
      <header className={styles.cardHeader}>
        <h2>{title}</h2>
        <Tooltip label="Descargar imagen (PNG)">
          <ActionIcon
            className={styles.screenOnly}
            aria-label="Descargar imagen del gráfico"
            onClick={() => void save()}
          >
            <IconPhotoDown size={18} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </header>
      <Chart spec={spec} label={`Gráfico: ${title}. Sus cifras están en la tabla.`} height={height} picture={picture} />
    </section>
  )
}
