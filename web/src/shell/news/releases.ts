/** Releases as the people who use the product read them, newest first; CHANGELOG.md says the same for administrators. */
export interface Release {
  version: string
  /** Null until it is released. */
  date: string | null
  news: string[]
}

export const RELEASES: [Release, ...Release[]] = [
  {
    version: '0.2.0',
    date: null,
    news: [
      'Pagos: una factura o compra se paga en partes, y un pago se puede anular.',
      'Las entradas a crédito piden documento y proveedor; las antiguas aparecen en «Por completar».',
      'El conteo de bodega guarda cada línea al escribirla: nada se pierde si se cierra la pestaña.',
      'Quien revisa una orden no puede ser quien la hizo, y hay una firma nueva: «Realizado por».',
      'Los kilómetros de un equipo cuentan una sola vez, en el taller donde estaba ese día.',
      'Cada empresa tiene un cupo para sus archivos.',
      'Los mensajes ya no tapan los botones de los documentos a pantalla completa.',
      'Una pantalla que no se pudo abrir sin conexión se abre al volver la conexión.',
      'Un manual para imprimir por cada cargo, en la ayuda de cada pantalla.',
    ],
  },
  {
    version: '0.1.0',
    date: '2026-11-16',
    news: ['Primera versión: órdenes, equipos, insumos, bodegas, compras, alertas y reportes.'],
  },
]
