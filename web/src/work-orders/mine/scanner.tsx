import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import styles from './my-works.module.css'

interface Detector {
  detect: (source: HTMLVideoElement) => Promise<{ rawValue: string }[]>
}
declare global {
  interface Window {
    BarcodeDetector?: new () => Detector
  }
}

const LOOK_EVERY = 250

/** The camera, until it sees a code. Only opened where the browser can read them. */
export default function Scanner({ onCode, onClose }: { onCode: (code: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const [problem, setProblem] = useState<string>()
  const latest = useRef(onCode)
  latest.current = onCode
  useEffect(() => {
    const { BarcodeDetector } = window
    if (!BarcodeDetector) return
    const detector = new BarcodeDetector()
    let stream: MediaStream | undefined
    let timer: ReturnType<typeof setInterval> | undefined
    let stopped = false
    const start = async () => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } })
      if (stopped || !video.current) return stop()
      video.current.srcObject = stream
      await video.current.play()
      timer = setInterval(async () => {
        const [seen] = video.current ? await detector.detect(video.current).catch(() => []) : []
        if (!seen || stopped) return
        stop()
        latest.current(seen.rawValue.trim())
      }, LOOK_EVERY)
    }
    const stop = () => {
      stopped = true
      clearInterval(timer)
      for (const track of stream?.getTracks() ?? []) track.stop()
    }
    start().catch(() => setProblem('No se pudo abrir la cámara. Revise el permiso, o escriba el código.'))
    return stop
  }, [])
  return (
    <Dialog opened onClose={onClose} title="Escanear código" size={480} zIndex={400}>
      {problem ? <p>{problem}</p> : <video ref={video} className={styles.camera} playsInline muted />}
    </Dialog>
  )
}
