import { ActionIcon, Button, Skeleton } from '@mantine/core'
import { IconCamera, IconFileTypePdf, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { showMoment } from '#contract/base/dates.ts'
import { MAX_FILE_BYTES, type WorkOrderFile, workOrderParts } from '#contract/work-orders/parts.ts'
import { call } from '../../platform/api.ts'
import { useMay, useZone } from '../../platform/session.ts'
import { useRequestKey } from '../../platform/submit.ts'
import { confirm } from '../../ui/confirm.tsx'
import { say } from '../../ui/snackbar.tsx'
import { fileQuery, filesQuery, workOrdersKey } from '../queries.ts'
import styles from './order.module.css'
import { OrderSection } from './section.tsx'
import { shrink } from './shrink.ts'

/** Sends photos and files, each as soon as the one before has arrived. */
export function useUpload(order: number) {
  const client = useQueryClient()
  const request = useRequestKey()
  const [share, setShare] = useState<number>()
  const upload = async (files: Iterable<File>) => {
    let sent = 0
    for (const chosen of files) {
      setShare(0)
      try {
        const file = await shrink(chosen)
        if (file.size > MAX_FILE_BYTES) throw new Error('Pesa más de 15 MB.')
        const same = [chosen.name, chosen.size, chosen.lastModified]
        await call(workOrderParts.addFile, {
          params: { id: order },
          body: { file },
          onUpload: setShare,
          idempotencyKey: request.keyFor(same),
        })
        request.arrived(same)
        sent += 1
      } catch (error) {
        say(`No se pudo subir ${chosen.name}`, {
          tone: 'danger',
          detail: error instanceof Error ? error.message : undefined,
        })
      }
    }
    setShare(undefined)
    void client.invalidateQueries({ queryKey: workOrdersKey })
    if (sent > 0) say(sent === 1 ? 'Archivo agregado' : `${sent} archivos agregados`)
  }
  return { upload, share }
}

interface FileButtonProps {
  label: string
  icon: React.ReactNode
  accept: string
  /** Opens the camera where there is one. */
  camera?: boolean
  disabled?: boolean
  size?: 'sm' | 'lg'
  onFiles: (files: File[]) => void
}

export function FileButton({ label, icon, accept, camera, disabled, size = 'sm', onFiles }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={icon}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        capture={camera ? 'environment' : undefined}
        multiple={!camera}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}

/** `isFinal`: what was added to a finalized order stays as it is. */
export function FilesPart({ order, isFinal }: { order: number; isFinal: boolean }) {
  const may = useMay('work-orders.work') && !isFinal
  const files = useQuery(filesQuery(order))
  const { upload, share } = useUpload(order)
  return (
    <OrderSection
      id="archivos"
      title="Fotos y archivos"
      aside={
        may && (
          <span className={styles.headButtons}>
            {share !== undefined && <span className={styles.progress}>{Math.round(share * 100)} %</span>}
            <FileButton
              label="Tomar foto"
              icon={<IconCamera size={16} stroke={1.7} />}
              accept="image/*"
              camera
              onFiles={upload}
            />
            <FileButton
              label="Agregar archivo"
              icon={<IconPaperclip size={16} stroke={1.7} />}
              accept="image/jpeg,image/png,image/webp,application/pdf"
              onFiles={upload}
            />
          </span>
        )
      }
    >
      {files.data?.length === 0 ? (
        <p className={styles.nothing}>Sin fotos ni archivos.</p>
      ) : (
        <ul className={styles.files}>
          {files.data?.map((file) => (
            <FileTile key={file.id} file={file} mayDelete={may} />
          ))}
        </ul>
      )}
    </OrderSection>
  )
}

function FileTile({ file, mayDelete }: { file: WorkOrderFile; mayDelete: boolean }) {
  const zone = useZone()
  const client = useQueryClient()
  const isImage = file.type.startsWith('image/')
  const content = useQuery({ ...fileQuery(file.id), enabled: isImage }).data
  const url = useObjectUrl(content)
  const open = async () => {
    try {
      const blob = content ?? (await client.fetchQuery(fileQuery(file.id)))
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
      <button type="button" className={styles.thumb} onClick={() => void open()} aria-label={`Abrir ${file.name}`}>
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
      <div className={styles.fileText}>
        <span className={styles.fileName} title={file.name}>
          {file.name}
        </span>
        <span className={styles.lineMore}>
          {file.user_name} · {showMoment(file.created_at, zone)}
        </span>
      </div>
      {mayDelete && (
        <ActionIcon size={28} aria-label={`Eliminar ${file.name}`} onClick={() => void remove()}>
          <IconTrash size={15} stroke={1.7} />
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
