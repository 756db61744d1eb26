import { useComputedColorScheme } from '@mantine/core'
import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { schemes } from '../ui/tokens.ts'
import type { ChartSpec } from './chart-spec.ts'
import styles from './reports.module.css'

use([BarChart, LineChart, GridComponent, LegendComponent, TooltipComponent, CanvasRenderer])

interface ChartProps {
  spec: ChartSpec
  label: string
  height: number
  /** The chart, to take its picture. */
  onReady: (chart: EChartsType | undefined) => void
}

export default function Chart({ spec, label, height, onReady }: ChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<EChartsType>(undefined)
  const scheme = useComputedColorScheme('dark')
  const pick = useRef(spec.onPick)
  pick.current = spec.onPick

  // biome-ignore lint/correctness/useExhaustiveDependencies: made once
  useEffect(() => {
    let gone = false
    // Letters are measured when they are drawn: with the font that is coming, not the one that is there.
    void document.fonts.ready.then(() => {
      if (gone || !box.current) return
      const made = init(box.current)
      chart.current = made
      made.on('click', ({ dataIndex, seriesIndex }) => pick.current?.(dataIndex ?? 0, seriesIndex ?? 0))
      made.setOption(optionOf(spec, scheme))
      onReady(made)
    })
    // The first word of it is the size that it was drawn for.
    const watch = new ResizeObserver(() => {
      const [made, { clientWidth = 0, clientHeight = 0 }] = [chart.current, box.current ?? {}]
      if (made && (made.getWidth() !== clientWidth || made.getHeight() !== clientHeight)) made.resize()
    })
    if (box.current) watch.observe(box.current)
    return () => {
      gone = true
      watch.disconnect()
      chart.current?.dispose()
      onReady(undefined)
    }
  }, [])
  // The screen around it is drawn more often than its figures change.
  const figures = JSON.stringify(spec)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn of it
  useEffect(() => {
    chart.current?.setOption(optionOf(spec, scheme), { notMerge: true })
  }, [figures, scheme])

  return <div ref={box} className={styles.chart} style={{ height }} role="img" aria-label={label} />
}

const FONT = { fontFamily: 'Inter, system-ui, sans-serif', fontSize: 12 }

function optionOf(spec: ChartSpec, scheme: 'dark' | 'light') {
  const colours = schemes[scheme]
  const isFlat = spec.kind === 'bars'
  const muted = { ...FONT, color: colours['text-2'] }
  const names = {
    type: 'category' as const,
    data: spec.names,
    inverse: isFlat,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: colours['line-strong'] } },
    axisLabel: { ...muted, color: colours['text-1'], ...(isFlat && { width: 170, overflow: 'truncate' as const }) },
  }
  const values = {
    type: 'value' as const,
    splitLine: { lineStyle: { color: colours.line } },
    axisLabel: { ...muted, formatter: (value: number) => spec.axis(value), hideOverlap: true },
    ...(spec.max !== undefined && { max: spec.max }),
  }
  return {
    animation: false,
    textStyle: muted,
    grid: { left: 8, right: 28, top: 36, bottom: 8, containLabel: true },
    legend: {
      top: 0,
      left: 0,
      icon: 'roundRect',
      itemWidth: 12,
      itemHeight: 12,
      textStyle: muted,
      type: 'scroll' as const,
    },
    tooltip: {
      trigger: 'axis' as const,
      axisPointer: { type: 'shadow' as const },
      backgroundColor: colours.overlay,
      borderColor: colours['line-strong'],
      textStyle: { ...FONT, color: colours['text-1'] },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? spec.show(value) : '—'),
      confine: true,
    },
    xAxis: isFlat ? values : names,
    yAxis: isFlat ? names : values,
    series: spec.series.map(({ name, tone, values: data, stack, line }) => ({
      name,
      data,
      ...(line
        ? { type: 'line' as const, symbolSize: 6, lineStyle: { width: 2, type: 'dashed' as const } }
        : { type: 'bar' as const, barMaxWidth: isFlat ? 18 : 38, stack }),
      itemStyle: { color: colours[tone] },
    })),
  }
}
