import { Kbd, Modal } from '@mantine/core'
import styles from './keyboard-help.module.css'

const KEYS: [keys: string[], does: string][] = [
  [['Ctrl', 'K'], 'Buscar cualquier cosa o ir a una pantalla'],
  [['/'], 'Buscar en la lista'],
  [['↑', '↓'], 'Moverse por las filas'],
  [['Enter'], 'Abrir la fila, o guardar el formulario'],
  [['N'], 'Crear uno nuevo'],
  [['Espacio', '←', '→', '↑', '↓'], 'En el tablero: tomar una tarjeta por su asa, moverla y dejarla'],
  [['T', 'I', 'S'], 'En una orden: agregar trabajo, insumo o servicio'],
  [['E'], 'En una orden: editarla'],
  [['J', 'K'], 'En una orden: la siguiente y la anterior de su columna'],
  [['Esc'], 'Cerrar lo que está encima'],
  [['?'], 'Mostrar esta ayuda'],
]

export default function KeyboardHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Atajos de teclado" size={420} padding={20}>
      <dl className={styles.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key} className={styles.key}>
                  {key}
                </Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
