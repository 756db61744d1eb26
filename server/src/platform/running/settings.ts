/**
 * The environment variables of the product: one table that `config.ts` is checked against and that `npm run docs` turns
 * into docs/configuration.md and docs/es/configuracion.md. A test fails when a variable is read that is not in it.
 */

export interface Bilingual {
  en: string
  es: string
}

export const SETTING_GROUPS = {
  reach: { en: 'Where it is reached', es: 'Por dónde se llega' },
  data: { en: 'Data and keys', es: 'Datos y claves' },
  files: { en: 'Photos and documents', es: 'Fotos y documentos' },
  copies: { en: 'Copies', es: 'Copias' },
  mail: { en: 'Mail', es: 'Correo' },
  demonstration: { en: 'Demonstration', es: 'Demostración' },
  monitoring: { en: 'Monitoring', es: 'Vigilancia' },
  tests: { en: 'Development and tests', es: 'Desarrollo y pruebas' },
} satisfies Record<string, Bilingual>

export interface Setting {
  name: string
  group: keyof typeof SETTING_GROUPS
  /** A value that could be set to get what happens without it, or words for it; `null` where it is simply not used. */
  default: string | Bilingual | null
  example: string
  purpose: Bilingual
  effect: Bilingual
}

const S3_KEYS = { en: 'Required with an S3 address.', es: 'Obligatoria con una dirección de S3.' }

export const SETTINGS = [
  {
    name: 'PORT',
    group: 'reach',
    default: '3000',
    example: '8080',
    purpose: { en: 'TCP port to listen on.', es: 'Puerto TCP en que escucha.' },
    effect: {
      en: '`0` takes any free port. A port in use stops the start with a sentence.',
      es: '`0` toma cualquier puerto libre. Con un puerto ocupado no se inicia, y lo dice en una frase.',
    },
  },
  {
    name: 'HOST',
    group: 'reach',
    default: '127.0.0.1',
    example: '0.0.0.0',
    purpose: { en: 'Network address to listen on.', es: 'Dirección de red en que escucha.' },
    effect: {
      en: 'Anything but loopback (`127.0.0.1`, this machine alone) opens the product to the network: it starts without the demonstration, and refuses to start where the data are those of the demonstration. Containers need `0.0.0.0`.',
      es: 'Cualquier dirección que no sea de la propia máquina (`127.0.0.1`) abre el producto a la red: se inicia sin la demostración, y no se inicia si los datos son los de la demostración. Los contenedores necesitan `0.0.0.0`.',
    },
  },
  {
    name: 'PUBLIC_URL',
    group: 'reach',
    default: { en: '`http://HOST:PORT`', es: '`http://HOST:PORT`' },
    example: 'https://taller.empresa.cl',
    purpose: { en: 'Address that people type.', es: 'Dirección que escriben las personas.' },
    effect: {
      en: 'Stands in the links of mails. With `https` browsers are told to use only that (HSTS). Unless it is an address of this machine alone, the demonstration is left out as with `HOST`.',
      es: 'Aparece en los enlaces de los correos. Con `https` se indica a los navegadores que usen solo eso (HSTS). Si no es una dirección de la propia máquina, la demostración queda fuera igual que con `HOST`.',
    },
  },
  {
    name: 'TRUST_PROXY',
    group: 'reach',
    default: '0',
    example: '1',
    purpose: {
      en: 'Proxies in front: how many, or their addresses and networks separated by commas (`loopback` and `uniquelocal` are understood).',
      es: 'Proxies que hay delante: cuántos, o sus direcciones y redes separadas por comas (entiende `loopback` y `uniquelocal`).',
    },
    effect: {
      en: 'The address of the caller, by which wrong passwords are counted, is taken from `X-Forwarded-For`. Leave it off without a proxy: anyone could claim any address.',
      es: 'La dirección de quien llama, por la que se cuentan las contraseñas erradas, se toma de `X-Forwarded-For`. Sin proxy no la use: cualquiera podría decir cualquier dirección.',
    },
  },
  {
    name: 'ALLOW_PRIVATE_CALLS',
    group: 'reach',
    default: '0',
    example: '1',
    purpose: {
      en: 'Calls to addresses that people typed: webhooks and identity providers.',
      es: 'Llamadas a direcciones que escribieron personas: webhooks y proveedores de identidad.',
    },
    effect: {
      en: '`1` also allows `http` and addresses of private networks. Without it only `https` to public addresses is called.',
      es: '`1` permite también `http` y direcciones de redes privadas. Sin ella solo se llama por `https` a direcciones públicas.',
    },
  },
  {
    name: 'DATA_DIR',
    group: 'data',
    default: 'data',
    example: '/var/lib/maestranza',
    purpose: {
      en: 'Folder of the embedded database, `seal.key` and, unless set elsewhere, the files.',
      es: 'Carpeta de la base de datos incluida, de `seal.key` y, si no se indica otra, de los archivos.',
    },
    effect: {
      en: 'A relative path starts at the current folder. One product per folder; several servers have one each.',
      es: 'Una ruta relativa se cuenta desde la carpeta actual. Un producto por carpeta; varios servidores tienen una cada uno.',
    },
  },
  {
    name: 'DATABASE_URL',
    group: 'data',
    default: { en: 'embedded PostgreSQL', es: 'PostgreSQL incluido' },
    example: 'postgres://maestranza:clave@127.0.0.1:5432/maestranza',
    purpose: { en: 'A PostgreSQL 18 of your own.', es: 'Un PostgreSQL 18 propio.' },
    effect: {
      en: 'The embedded database is not started. Signs such as `@ : / ? # %` in the password are written as `%40 %3A %2F %3F %23 %25`. The user needs `CREATEROLE`, or a role `maestranza_app` granted to it with admin option.',
      es: 'La base de datos incluida no se inicia. Signos como `@ : / ? # %` de la contraseña se escriben `%40 %3A %2F %3F %23 %25`. El usuario necesita `CREATEROLE`, o un rol `maestranza_app` otorgado con `admin option`.',
    },
  },
  {
    name: 'PGPASSWORD',
    group: 'data',
    default: null,
    example: 'clave',
    purpose: { en: 'Password for `DATABASE_URL`.', es: 'Contraseña para `DATABASE_URL`.' },
    effect: {
      en: 'Used when the address has no password.',
      es: 'Se usa cuando la dirección no trae contraseña.',
    },
  },
  {
    name: 'DATABASE_POOL_URL',
    group: 'data',
    default: null,
    example: 'postgres://pooler:6432/maestranza',
    purpose: {
      en: 'PgBouncer in transaction mode in front of `DATABASE_URL`, without user or password.',
      es: 'PgBouncer en modo transacción delante de `DATABASE_URL`, sin usuario ni contraseña.',
    },
    effect: {
      en: 'Calls go through PgBouncer, which lends each connection for one transaction; migrations, events and jobs go to the database itself.',
      es: 'Las llamadas pasan por PgBouncer, que presta cada conexión por una transacción; migraciones, eventos y tareas van directo a la base de datos.',
    },
  },
  {
    name: 'SEAL_KEY',
    group: 'data',
    default: {
      en: '`seal.key` in `DATA_DIR`, made at the first start',
      es: '`seal.key` en `DATA_DIR`, creado al iniciar por primera vez',
    },
    example: 'make-your-own:openssl-rand-hex-32',
    purpose: {
      en: 'Key of the activity seals and of the secrets kept in the database; at least 32 characters.',
      es: 'Clave de los sellos de la actividad y de los secretos guardados en la base de datos; al menos 32 caracteres.',
    },
    effect: {
      en: 'Make your own with `openssl rand -hex 32`. Several servers need the same one. Keep a copy away from the machine: without it the secrets of the identity provider, second factors and webhooks have to be entered again.',
      es: 'Haga la suya con `openssl rand -hex 32`. Varios servidores necesitan la misma. Guarde una copia lejos de la máquina: sin ella hay que volver a ingresar los secretos del proveedor de identidad, de los segundos factores y de los webhooks.',
    },
  },
  {
    name: 'FILES_DIR',
    group: 'files',
    default: { en: '`files` in `DATA_DIR`', es: '`files` en `DATA_DIR`' },
    example: '/mnt/archivos',
    purpose: { en: 'Folder of photos, documents and signatures.', es: 'Carpeta de fotos, documentos y firmas.' },
    effect: {
      en: 'Several servers share one folder, or use `S3_URL`, which wins over this. With systemd a folder outside `DATA_DIR` needs `ReadWritePaths=`.',
      es: 'Varios servidores comparten una carpeta, o usan `S3_URL`, que manda sobre esta. Con systemd una carpeta fuera de `DATA_DIR` necesita `ReadWritePaths=`.',
    },
  },
  {
    name: 'S3_URL',
    group: 'files',
    default: null,
    example: 'https://s3.sa-east-1.amazonaws.com/bucket',
    purpose: {
      en: 'S3 bucket of photos, documents and signatures; a path after the bucket is put before every name.',
      es: 'Bucket (espacio de almacenamiento) de S3 para fotos, documentos y firmas; una ruta después del bucket se antepone a cada nombre.',
    },
    effect: {
      en: 'Files are kept there instead of in a folder. The keys must be allowed to get, put, delete and list.',
      es: 'Los archivos se guardan ahí en vez de una carpeta. Las claves deben poder leer, escribir, borrar y listar.',
    },
  },
  {
    name: 'AWS_ACCESS_KEY_ID',
    group: 'files',
    default: null,
    example: 'AKIAIOSFODNN7EXAMPLE',
    purpose: {
      en: 'Key for `S3_URL` and for an S3 in `ARCHIVE_TO`.',
      es: 'Clave para `S3_URL` y para un S3 en `ARCHIVE_TO`.',
    },
    effect: S3_KEYS,
  },
  {
    name: 'AWS_SECRET_ACCESS_KEY',
    group: 'files',
    default: null,
    example: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    purpose: { en: 'Secret of that key.', es: 'Secreto de esa clave.' },
    effect: S3_KEYS,
  },
  {
    name: 'AWS_REGION',
    group: 'files',
    default: 'us-east-1',
    example: 'sa-east-1',
    purpose: { en: 'Region of the bucket.', es: 'Región del bucket.' },
    effect: { en: 'Part of the signature of each request.', es: 'Es parte de la firma de cada solicitud.' },
  },
  {
    name: 'FILES_DAYS',
    group: 'files',
    default: '90',
    example: '30',
    purpose: {
      en: 'Days that a file stays after the last row that names it is gone.',
      es: 'Días que un archivo permanece desde que ningún registro lo nombra.',
    },
    effect: {
      en: 'A database brought back to an earlier moment finds its files for that long. With S3 and `ARCHIVE_TO` it must be more than `ARCHIVE_DAYS`.',
      es: 'Durante ese tiempo una base de datos devuelta a un momento anterior encuentra sus archivos. Con S3 y `ARCHIVE_TO` debe ser mayor que `ARCHIVE_DAYS`.',
    },
  },
  {
    name: 'FILES_QUOTA_GB',
    group: 'files',
    default: '20',
    example: '50',
    purpose: {
      en: 'Gigabytes of files that one company may keep.',
      es: 'Gigabytes de archivos que puede guardar una empresa.',
    },
    effect: {
      en: 'From 80 % on its super-admins are warned; above it uploads are refused (413). `0` is no limit.',
      es: 'Desde el 80 % se avisa a sus superadministradores; al pasarse se rechazan las subidas (413). `0` es sin límite.',
    },
  },
  {
    name: 'ARCHIVE_TO',
    group: 'copies',
    default: null,
    example: 'https://s3.sa-east-1.amazonaws.com/bucket/copia',
    purpose: {
      en: 'Folder on another disk, or a bucket, for the continuous copy of the embedded database.',
      es: 'Carpeta en otro disco, o bucket, para la copia continua de la base de datos incluida.',
    },
    effect: {
      en: 'The copy is at most some seconds behind, and `npm run restore -- --at` goes back to any second. A folder needs `ReadWritePaths=` with systemd. Not with `DATABASE_URL`.',
      es: 'La copia va a lo más unos segundos atrás, y `npm run restore -- --at` vuelve a cualquier segundo. Con systemd una carpeta necesita `ReadWritePaths=`. No sirve con `DATABASE_URL`.',
    },
  },
  {
    name: 'ARCHIVE_DAYS',
    group: 'copies',
    default: '14',
    example: '30',
    purpose: { en: 'Days that one can go back.', es: 'Días hacia atrás a los que se puede volver.' },
    effect: { en: 'Older copies are deleted.', es: 'Las copias más antiguas se borran.' },
  },
  {
    name: 'BACKUP_PASSPHRASE',
    group: 'copies',
    default: null,
    example: 'cuatro palabras muy largas',
    purpose: { en: 'Encrypts backups and the continuous copy.', es: 'Cifra los respaldos y la copia continua.' },
    effect: {
      en: 'Nobody opens a copy without it, you included: keep it away from the machine.',
      es: 'Nadie abre una copia sin ella, tampoco usted: guárdela lejos de la máquina.',
    },
  },
  {
    name: 'SMTP_URL',
    group: 'mail',
    default: null,
    example: 'smtp://usuario:clave@servidor:587?from=avisos@empresa.cl',
    purpose: {
      en: 'Mail server and, after `from=`, the sender. Signs of the password are written with `%` as in `DATABASE_URL`.',
      es: 'Servidor de correo y, después de `from=`, quién envía. Los signos de la contraseña se escriben con `%` como en `DATABASE_URL`.',
    },
    effect: {
      en: 'Without it mails stay in the outbox, where administrators read them, and invitations are links to hand over.',
      es: 'Sin ella los correos quedan en la bandeja de salida, donde los leen los administradores, y las invitaciones son enlaces que se entregan.',
    },
  },
  {
    name: 'MAESTRANZA_EMPTY',
    group: 'demonstration',
    default: '0',
    example: '1',
    purpose: { en: 'Start without the demonstration.', es: 'Iniciar sin la demostración.' },
    effect: {
      en: 'The first start prints a code; whoever opens `/configurar` with it makes the company. An address that others can reach has the same effect.',
      es: 'Al iniciar por primera vez muestra un código; quien abre `/configurar` con él crea la empresa. Una dirección a la que llegan otras máquinas tiene el mismo efecto.',
    },
  },
  {
    name: 'MAESTRANZA_DEMO',
    group: 'demonstration',
    default: null,
    example: 'public',
    purpose: { en: 'A demonstration for strangers.', es: 'Una demostración para desconocidos.' },
    effect: {
      en: '`public` allows the demonstration where others reach it, with one-click entry per role. Nothing a visitor does leaves the product: no mails, webhooks or single sign-on; people and passwords stay as they are; files up to 5 MB, 200 MB per company. Never set it where your own company is.',
      es: '`public` permite la demostración donde otros llegan, con entrada de un clic por rol. Nada de lo que hace un visitante sale del producto: ni correos, ni webhooks, ni inicio de sesión externo; personas y contraseñas quedan como están; archivos de hasta 5 MB, 200 MB por empresa. Nunca la use donde está su propia empresa.',
    },
  },
  {
    name: 'DEMO_RESET_HOURS',
    group: 'demonstration',
    default: '0',
    example: '6',
    purpose: {
      en: 'Hours after which a public demonstration starts again from its first state, from 1 to 168.',
      es: 'Horas tras las que una demostración pública empieza de nuevo, de 1 a 168.',
    },
    effect: {
      en: 'Everything that visitors added or changed is deleted, files included, and they enter again; the banner says so. Every 6 hours is at 0, 6, 12 and 18 UTC. Only with `MAESTRANZA_DEMO=public`.',
      es: 'Se borra todo lo que los visitantes agregaron o cambiaron, también archivos, y vuelven a entrar; el aviso lo dice. Cada 6 horas es a las 0, 6, 12 y 18 UTC. Solo con `MAESTRANZA_DEMO=public`.',
    },
  },
  {
    name: 'METRICS_TOKEN',
    group: 'monitoring',
    default: null,
    example: 'una-clave-larga',
    purpose: { en: 'Token of `GET /metrics`, for Prometheus.', es: 'Clave de `GET /metrics`, para Prometheus.' },
    effect: { en: 'Without it there is no such page.', es: 'Sin ella esa página no existe.' },
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'monitoring',
    default: null,
    example: 'http://collector:4318',
    purpose: { en: 'OTLP/HTTP collector of traces.', es: 'Recolector OTLP/HTTP de trazas.' },
    effect: {
      en: 'Every call, transaction and job is sent as a span, which says how long it took. Without it tracing is not even loaded.',
      es: 'Cada llamada, transacción y tarea se envía como un tramo (`span`), que dice cuánto tardó. Sin ella las trazas ni siquiera se cargan.',
    },
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    group: 'monitoring',
    default: null,
    example: 'authorization=Bearer clave',
    purpose: { en: 'Headers sent to the collector.', es: 'Encabezados que se envían al recolector.' },
    effect: { en: 'Read by the OpenTelemetry library.', es: 'La lee la biblioteca de OpenTelemetry.' },
  },
  {
    name: 'OTEL_SERVICE_NAME',
    group: 'monitoring',
    default: 'maestranza',
    example: 'taller-norte',
    purpose: { en: 'Name of the service in traces.', es: 'Nombre del servicio en las trazas.' },
    effect: { en: 'Tells several installations apart.', es: 'Distingue varias instalaciones.' },
  },
  {
    name: 'CHROMIUM_PATH',
    group: 'tests',
    default: { en: 'an installed browser, or one that is fetched', es: 'un navegador instalado, o uno que se baja' },
    example: '/usr/bin/chromium',
    purpose: { en: 'Browser of the screen tests.', es: 'Navegador de las pruebas de pantalla.' },
    effect: { en: 'Only `npm test` and `npm run gallery` use it.', es: 'Solo la usan `npm test` y `npm run gallery`.' },
  },
  {
    name: 'TEST_POOLER',
    group: 'tests',
    default: null,
    example: '/usr/sbin/pgbouncer',
    purpose: { en: 'PgBouncer program for the tests.', es: 'Programa PgBouncer para las pruebas.' },
    effect: {
      en: '`npm test -- unit` runs every server test behind it.',
      es: '`npm test -- unit` corre detrás de él cada prueba del servidor.',
    },
  },
] as const satisfies Setting[]

export type SettingName = (typeof SETTINGS)[number]['name']
/** The environment as far as the product reads it: a name that the table does not have does not compile. */
export type Environment = { readonly [name in SettingName]?: string }
