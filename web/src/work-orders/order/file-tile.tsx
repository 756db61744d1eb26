import { ActionIcon, Skeleton } from '@mantine/core'
import { IconFileTypePdf, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type WorkOrderFile, workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { fileQuery, smallFileQuery, workOrdersKey } from '../queries.ts'
import styles from './page.module.css'

export function FileTile({ file, mayDelete }: { file: WorkOrderFile; mayDelete: boolean }) {
  const client = useQueryClient()
  const isImage = file.type.startsWith('image/')
  const url = useObjectUrl(useQuery({ ...smallFileQuery(file.id), enabled: isImage }).data)
  const open = async () => {
    try {
      const blob = await client.fetchQuery(fileQuery(file.id))
      window.open(URL.createObjectURL(blob), '_blank', 'noopener')
    } catch (error) {
      say(`No se pudo abrir ${file.name}`, {
        tone: 'danger',
        detail: error instanceof Error ? error.message : undefined,
      })
    }
  }
  const remove = async () => {
    const sure = await confirm({
      title: `¿Eliminar ${file.name}?`,
      message: 'No se puede deshacer.',
      accept: 'Eliminar',
      danger: true,
    })
    if (!sure) return
    try {
      await call(workOrderParts.deleteFile, { params: { id: file.id } })
      void client.invalidateQueries({ queryKey: workOrdersKey })
    } catch (error) {
      say('No se pudo eliminar', { tone: 'danger', detail: error instanceof Error ? error.message : undefined })
    }
  }
  return (
    <li className={styles.file}>
      <button
        type="button"
        className={styles.thumb}
        onClick={() => void open()}
        aria-label={`Abrir ${file.name}`}
        title={file.name}
      >
        {isImage ? (
          url ? (
            <img src={url} alt={file.name} />
          ) : (
            <Skeleton h="100%" />
          )
        ) : (
          <IconFileTypePdf size={30} stroke={1.4} aria-hidden />
        )}
      </button>
      {!isImage && <span className={styles.fileName}>{file.name}</span>}
      {mayDelete && (
        <ActionIcon
          size={24}
          className={styles.fileDelete}
          aria-label={`Eliminar ${file.name}`}
          onClick={() => void remove()}
        >
          <IconTrash size={14} stroke={1.7} />
        </ActionIcon>
      )}
    </li>
  )
}

export function useObjectUrl(blob: Blob | undefined) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}
