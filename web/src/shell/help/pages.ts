/** What one can do on a screen, in as many words as somebody reads while standing. */
export interface HelpPage {
  title: string
  about: string
  can: string[]
  rules?: string[]
  keys?: [keys: string[], does: string][]
}

const LIST: HelpPage['keys'] = [
  [['/'], 'Buscar en la lista'],
  [['↑', '↓'], 'Moverse por las filas'],
  [['Enter'], 'Abrir la fila'],
]
const LIST_NEW: HelpPage['keys'] = [...LIST, [['N'], 'Crear uno nuevo']]
const FORM: HelpPage['keys'] = [[['Enter'], 'Guardar']]

const LIST_CAN = [
  'Busque, filtre y ordene: la dirección de la página guarda lo elegido, y se puede compartir.',
  'Elija qué columnas se ven y su densidad, y lleve la lista a Excel.',
]
const BULK = 'Marque varias filas para cambiarlas de una vez; se puede deshacer.'

const report = (title: string, about: string, ...rules: string[]): HelpPage => ({
  title,
  about,
  can: [
    'Elija el período, el taller y el equipo en Filtros.',
    'Toque una cifra o una barra para ver las filas que la suman.',
    'Descargue las mismas cifras en Excel, imprímalas, o recíbalas cada lunes por correo.',
    'Compárelas con el período anterior, con el mismo del año anterior o con otro.',
  ],
  rules: [
    ...rules,
    'Un gasto va en el día en que se registró; un servicio con factura, en la fecha de la factura.',
    'Un mes cerrado no cambia hasta que alguien autorizado lo reabre.',
  ],
})

/** By the path of the route; every screen inside has one. */
export const HELP: Record<string, HelpPage> = {
  '/inicio': {
    title: 'Inicio',
    about: 'Lo que espera por usted hoy, según su cargo.',
    can: [
      'Abra lo atrasado, lo detenido y lo que vence con un toque.',
      'Apruebe órdenes de compra sin salir de aquí.',
      'En una empresa nueva, siga los primeros pasos: traiga sus planillas e invite a su gente.',
    ],
    rules: ['La campana de arriba avisa lo mismo desde cualquier pantalla.'],
  },
  '/ordenes-de-trabajo': {
    title: 'Tablero de órdenes',
    about: 'Cada tarjeta es una orden de trabajo; cada columna, en qué está. Todos ven lo mismo al instante.',
    can: [
      'Arrastre una tarjeta por su asa, o use «Mover a…» en su menú.',
      'Toque la tarjeta para abrir la orden.',
      'Filtre por taller, persona, prioridad o fecha: una columna vacía dice si es por un filtro.',
      'Guarde lo que mira como una vista, y vuelva a ella con un toque.',
      'En el menú de una tarjeta, «Editar aquí…» cambia responsable, prioridad y plazo sin abrirla.',
    ],
    rules: [
      'Al salir de Pendiente hacia el taller se anota el ingreso; al finalizar, la salida.',
      'Finalizar con trabajos pendientes pregunta antes.',
      'La última columna muestra lo finalizado en 30 días; lo demás está en Historial.',
    ],
    keys: [
      [['N'], 'Nueva orden'],
      [['/'], 'Buscar en el tablero'],
      [['Espacio', '←', '→', '↑', '↓'], 'Tomar una tarjeta por su asa, moverla y dejarla'],
    ],
  },
  '/ordenes-de-trabajo/calendario': {
    title: 'Calendario',
    about:
      'Cuándo entra cada orden y quién hace cada trabajo: por mes, o por semana y día en pistas de box y mecánico.',
    can: [
      'Arrastre desde «Sin programar» a una pista, o entre pistas y días.',
      'Toque una orden para abrirla.',
      'Cambie entre boxes y mecánicos para ver la carga de cada uno.',
    ],
    rules: [
      'Verde: planificada. Naranja: no planificada. Azul: trabajos. El ícono dice el estado.',
      'En rojo, lo que se cruza en un mismo box o con una misma persona.',
    ],
  },
  '/ordenes-de-trabajo/nueva': {
    title: 'Nueva orden de trabajo',
    about: 'Basta el equipo y qué le pasa; lo demás se agrega cuando se sepa.',
    can: [
      'Escriba código o patente para encontrar el equipo: trae su taller, acoplado y kilometraje.',
      'Anote trabajos uno por línea; Enter abre el siguiente.',
      '«Usar plantilla» trae los trabajos e insumos de una mantención conocida; «Repetir una orden», los de otra orden.',
      'Si la bodega no tiene suficiente, saque de otra o pida lo que falta.',
      'En «Más detalles» están repuestos, servicios, fechas y personas.',
    ],
    rules: [
      'Si el equipo ya tiene una orden abierta, se avisa con su enlace.',
      'Lo escrito se guarda como borrador en este navegador hasta crear la orden.',
    ],
    keys: FORM,
  },
  '/ordenes-de-trabajo/$id': {
    title: 'Orden de trabajo',
    about: 'Qué se pidió, en qué está y qué sigue: el botón grande hace el próximo paso.',
    can: [
      'Toque cualquier dato para cambiarlo.',
      'Marque trabajos, agregue insumos y servicios, fotos y comentarios.',
      'Pida firmas, e imprima la orden en PDF.',
      'En «Más acciones» use una plantilla, o guarde la orden como una.',
    ],
    rules: [
      'Con bodega, cada insumo sale del stock al guardarse, y vuelve si se quita.',
      'Iniciar el primer trabajo pasa la orden a En proceso.',
      'Una orden finalizada no se edita: un jefe puede devolverla al tablero.',
    ],
    keys: [
      [['T', 'I', 'S'], 'Agregar trabajo, insumo o servicio'],
      [['E'], 'Editar'],
      [['J', 'K'], 'La siguiente y la anterior de su columna'],
    ],
  },
  '/historial-ordenes-de-trabajo': {
    title: 'Historial',
    about: 'Todas las órdenes, también las finalizadas hace tiempo, con lo que costaron.',
    can: [...LIST_CAN, BULK, 'Toque una orden para leerla como documento.'],
    rules: ['Los totales son de todo lo filtrado, no solo de la página.'],
    keys: LIST,
  },
  '/mis-trabajos': {
    title: 'Mis trabajos',
    about: 'Los trabajos que le asignaron, listos para una tableta en el taller.',
    can: [
      'Inicie, pause y termine con un toque: las horas se cuentan solas.',
      'Anote lo que encontró, agregue fotos y los insumos que usó.',
    ],
    rules: ['Se trabaja en una cosa a la vez: al iniciar otra se pregunta si dejar la anterior.'],
  },
  '/facturas-por-pagar': {
    title: 'Facturas por pagar',
    about: 'Lo que se debe a los proveedores por servicios en órdenes y compras a bodega.',
    can: [...LIST_CAN, 'Apruebe, reclame o marque como pagada una factura, y anule un pago equivocado.'],
    rules: [
      'Un pago fija su monto: si la factura cambia después, la diferencia queda por pagar o a favor.',
      'Lo que tiene un pago no se elimina ni se anula antes de anular el pago.',
    ],
    keys: LIST,
  },
  '/truck': {
    title: 'Equipos',
    about: 'Camiones y demás equipos de la empresa, con su kilometraje y estado.',
    can: [
      ...LIST_CAN,
      BULK,
      'Importe la planilla que ya tiene: muestra qué cambiaría antes de guardar, y se puede deshacer.',
    ],
    rules: ['Código y patente no se repiten. Un equipo con historia se da de baja, no se borra.'],
    keys: LIST_NEW,
  },
  '/truck/create': {
    title: 'Nuevo equipo',
    about: 'Con código, patente y taller basta para crearle órdenes.',
    can: ['Agregue marcas, tipos y centros de costo desde la misma lista, escribiéndolos.'],
    rules: ['La patente se guarda sin separadores y se muestra como se escribe: BBBB·12.'],
    keys: FORM,
  },
  '/truck/$id': {
    title: 'Equipo',
    about: 'Lo que cuesta, cuánto está disponible, qué le toca y toda su vida.',
    can: [
      'Registre una lectura de kilometraje, o corrija una.',
      'Cambie su acoplado desde una fecha.',
      'Vea sus órdenes, alertas y papeles; cree una orden para él.',
    ],
    rules: [
      'El kilometraje es la última lectura. Una menor que sus vecinas, o demasiado mayor, pide confirmación.',
      'El costo por km se compara con los equipos de su tipo.',
    ],
    keys: [
      [['N'], 'Nueva orden para este equipo'],
      [['R'], 'Registrar kilometraje'],
    ],
  },
  '/provider': {
    title: 'Proveedores',
    about: 'A quienes se compra y se encarga servicios.',
    can: [...LIST_CAN, BULK, 'Importe su planilla: se reconocen por RUT o por nombre.'],
    rules: ['El dígito verificador del RUT se revisa. Un identificador extranjero queda como se escribe.'],
    keys: LIST_NEW,
  },
  '/provider/create': {
    title: 'Nuevo proveedor',
    about: 'Con el nombre basta; el RUT y el correo sirven para facturas y órdenes de compra.',
    can: ['Elija un taller, o deje que sirva a todos.'],
    keys: FORM,
  },
  '/provider/$id': {
    title: 'Proveedor',
    about: 'Cuánto se gasta con él, si cumple sus fechas, qué precios subió y cuánto se le debe.',
    can: ['Edite sus datos, vea sus órdenes, compras y facturas, y lo que cambió y quién lo cambió.'],
    rules: ['Un proveedor con historia se desactiva, no se borra.'],
  },
  '/provider/$id/services': {
    title: 'Servicios del proveedor',
    about: 'Lo que este proveedor hace y a qué precio.',
    can: ['Agregue y edite servicios con código, nombre, categoría y precio: se ofrecen al cargar una orden.'],
    rules: ['Cambiar un precio no cambia las órdenes que ya lo usaron.'],
    keys: LIST_NEW,
  },
  '/inventario': {
    title: 'Inventario',
    about: 'Repuestos, aceites y demás insumos del taller, con su costo y stock.',
    can: [...LIST_CAN, BULK, 'Importe su planilla: lo nuevo se crea, lo conocido se actualiza por su código.'],
    rules: ['El código no se repite dentro de un taller. El costo es el de la última compra.'],
    keys: LIST_NEW,
  },
  '/nuevo-insumo': {
    title: 'Nuevo insumo',
    about: 'Código, nombre, unidad y costo.',
    can: ['Agregue categorías y unidades desde la misma lista, escribiéndolas.'],
    rules: ['La unidad no cambia una vez que el insumo tiene movimientos.'],
    keys: FORM,
  },
  '/insumo/$id': {
    title: 'Insumo',
    about: 'Cuánto hay en cada bodega, qué ha costado, quién lo usa y qué viene en camino.',
    can: [
      'En cada bodega abra su kardex, o una entrada, salida, traspaso o pedido que ya lo trae.',
      'Edite sus datos y vea sus movimientos bodega por bodega.',
    ],
    rules: ['Con movimientos se desactiva, no se borra.'],
  },
  '/warehouse': {
    title: 'Bodegas',
    about: 'Los lugares donde se guarda lo que usan las órdenes.',
    can: ['Abra una bodega para ver su stock, entradas, salidas y órdenes de compra.'],
    keys: LIST_NEW,
  },
  '/warehouse/create': {
    title: 'Nueva bodega',
    about: 'Un nombre y su taller.',
    can: ['Después registre lo que ya tiene con una entrada de tipo Ajuste de inventario.'],
    keys: FORM,
  },
  '/warehouse/$id': {
    title: 'Bodega',
    about: 'Cuánto vale, qué falta, qué no se mueve, y todo lo que entra y sale.',
    can: [
      'Registre entradas y salidas, traslade a otra bodega, y cuente físicamente.',
      'Fije mínimos y máximos, de uno o de varios elegidos: lo que está bajo el mínimo se pide en dos pasos.',
      'Cree órdenes de compra, envíelas y recíbalas, completas o en partes.',
      'Vea el kardex de cada insumo, e imprima etiquetas.',
    ],
    rules: [
      'El stock nunca queda bajo cero. Un error se anula, no se borra: queda el movimiento contrario.',
      'El costo promedio lo mueven solo las entradas.',
      'Recibir más de 10 % sobre lo aprobado necesita a quien aprueba.',
    ],
  },
  '/maintenance-alerts': {
    title: 'Alertas de mantención',
    about: 'Mantenciones y papeles que vencen por fecha o por kilómetros.',
    can: [
      'Cree una alerta para varios equipos a la vez, y que se repita.',
      'Conviértala en una orden con un toque: al finalizarla, queda ejecutada.',
      ...LIST_CAN,
    ],
    rules: ['Se avisa por correo cuando está por vencer y una vez más si vence.'],
    keys: LIST_NEW,
  },
  '/maintenance-alerts/correos': {
    title: 'Correos de alertas',
    about: 'A quién se avisó, cuándo, y si llegó.',
    can: ['Abra un correo para leerlo, y ver cada intento.'],
    rules: ['Sin servidor de correo, los avisos quedan aquí y no salen.'],
    keys: LIST,
  },
  '/reportes': {
    title: 'Resumen',
    about: 'El mes de un vistazo: gasto, disponibilidad y lo que más cuesta.',
    can: ['Toque una cifra para ir al reporte o a las filas que la suman.'],
  },
  '/reportes/expenses-by-truck': report(
    'Gastos por equipo',
    'Insumos y servicios de las órdenes, por equipo y centro de costo.',
    'El centro de costo es el que el equipo tenía ese día.',
  ),
  '/reportes/expenses-by-suppliers': report(
    'Gastos por proveedor',
    'Servicios en órdenes; las compras a bodega, en columnas aparte.',
  ),
  '/reportes/historical-expenses': report('Gastos históricos', 'Lo que costó cada orden con gastos en el período.'),
  '/reportes/expenses-by-category': report(
    'Gastos por categoría',
    'Insumos usados, según su categoría. Los servicios van aparte.',
  ),
  '/reportes/expenses-by-month': report('Gastos por mes', 'Categorías y servicios, mes a mes, de los años elegidos.'),
  '/reportes/cost-supplies-by-truck': report(
    'Costo de insumos por equipo',
    'Cuánto de cada insumo usó cada equipo, y qué costó.',
  ),
  '/reportes/equipment-availability': {
    title: 'Disponibilidad de equipos',
    about: 'Qué parte del tiempo estuvo cada equipo en condiciones de trabajar.',
    can: [
      'Elija período y taller, y toque una cifra para ver las detenciones que la suman.',
      'Descargue en Excel o imprima.',
    ],
    rules: [
      'Órdenes que se cruzan cuentan una vez; las abiertas, hasta ahora.',
      'MTTR: horas correctivas ÷ detenciones correctivas. MTBF: horas en operación ÷ fallas.',
    ],
  },
  '/reportes/hours-by-specialist': {
    title: 'Horas por mecánico',
    about: 'Cuántas horas trabajó cada uno, día a día.',
    can: ['Toque una cifra para ver los trabajos que la suman.', 'Descargue en Excel o imprima.'],
    rules: ['Cuentan las horas marcadas; donde nadie marcó, las anotadas en el trabajo.'],
  },
  '/configuracion': {
    title: 'Configuración',
    about: 'Lo que la empresa guarda de sí misma: talleres, personas, catálogos y su propia cuenta.',
    can: ['Elija una parte a la izquierda. Solo aparece lo que su cargo puede cambiar.'],
  },
  '/configuracion/$section': {
    title: 'Configuración',
    about: 'Talleres, personas, catálogos, ajustes y su propia cuenta.',
    can: [
      'Invite personas y elija su cargo y taller: reciben un enlace para elegir su contraseña.',
      'Edite los catálogos que ofrecen los formularios.',
      'En Presupuestos escriba, copie o pegue lo que puede costar cada centro de costo en cada mes.',
      'En Ajustes decida cómo trabaja la empresa: bodega, mano de obra, flota compartida.',
      'En Mi perfil cambie su contraseña, su tema y cierre sesiones abiertas en otros equipos.',
    ],
    rules: ['Lo que ya se usó se desactiva en vez de borrarse, para que la historia lo siga nombrando.'],
    keys: LIST,
  },
}

/** A file's name for the picture of a screen, in each theme. */
export const pictureOf = (route: string, theme: string) =>
  `${route.slice(1).replaceAll('$', '').replaceAll('/', '.')}-${theme}.webp`
