import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type ESTree, type Plugin, Visitor } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import { schemes } from './src/ui/tokens.ts'

const API = process.env.MAESTRANZA_API ?? 'http://127.0.0.1:3000'

/** The ground behind the page before any of our styles arrive, from the same tokens. */
const firstPaint: Plugin = {
  name: 'first-paint',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { name: 'theme-color', content: schemes.dark.panel }, injectTo: 'head' },
    {
      tag: 'style',
      children: `html{background:${schemes.dark.app}}html[data-mantine-color-scheme=light]{background:${schemes.light.app}}`,
      injectTo: 'head',
    },
  ],
}

/** What nearly everybody sees first comes beside the shell, instead of after it; and the letters it is written in. */
const besideShell: Plugin = {
  name: 'beside-shell',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      Object.values(bundle).flatMap(({ type, name, fileName }) => {
        const href = `/${fileName}`
        if (type === 'chunk' && name === 'home') return link({ rel: 'modulepreload', href })
        if (/assets.home-.*css$/.test(fileName)) return link({ rel: 'stylesheet', href })
        return /inter-latin-wght-/.test(fileName) ? link({ rel: 'preload', as: 'font', href }) : []
      }),
  },
}
const link = (attrs: Record<string, string>) => [
  { tag: 'link', attrs: { crossorigin: true, ...attrs }, injectTo: 'head' as const },
]

/** Most of it runs at once: browsers that know this, as the first thing in a file, compile it aside while it arrives. */
const compiledAside: Plugin = {
  name: 'compiled-aside',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      for (const made of Object.values(bundle))
        if (made.type === 'chunk' && made.isEntry) made.code = `//# allFunctionsCalledOnLoad\n${made.code}`
    },
  },
}

/**
 * Answers are typed by the contract and not checked here: their schemas, and whatever else of the contract no screen asks
 * for, stay out. Making schemas is most of what a module of the contract costs when it arrives: those that may be asked for
 * are made when they are.
 */
const UNASKED = ['reply', 'echoes', 'summary']
const HOW_IT_IS_READ = ['Nothing', 'Download']
const MADE = ['CallExpression', 'ObjectExpression']
/** By what a schema's making begins: `z.…`, another schema, or what makes several of a kind. */
const SCHEMA = /^(z|(?!Object|Array|Number|String)[A-Z]+[a-z]\w*|listing|choosing|page|catalogue|upTo|fileOf)$/
const ON_DEMAND = fileURLToPath(new URL('src/platform/on-demand.ts', import.meta.url))

const beginsWith = (made: ESTree.Expression): string | undefined => {
  if (made.type === 'Identifier') return made.name
  if (made.type === 'CallExpression') return beginsWith(made.callee)
  return made.type === 'MemberExpression' ? beginsWith(made.object) : undefined
}

/** The schemas that making this would make at once. */
function schemasIn(made: ESTree.Expression, isAsked = (_: string) => true): ESTree.Expression[] {
  if (made.type === 'CallExpression') {
    if (SCHEMA.test(beginsWith(made) ?? '')) return [made]
    const [given] = made.arguments
    if (beginsWith(made) !== 'endpoint' || given?.type !== 'ObjectExpression') return []
    return schemasIn(given, (name) => !UNASKED.includes(name))
  }
  if (made.type !== 'ObjectExpression') return []
  return made.properties.flatMap((part) =>
    part.type === 'Property' && part.key.type === 'Identifier' && isAsked(part.key.name) ? schemasIn(part.value) : [],
  )
}

const onlyAsked: Plugin = {
  name: 'only-asked',
  apply: 'build',
  transform: {
    order: 'post',
    filter: { id: /contract.src.[^?]*\.ts$/ },
    handler(code) {
      const changes: { start: number; end: number; text: string }[] = []
      const around = ({ start, end }: ESTree.Expression, before: string, after: string) =>
        changes.push({ start, end: start, text: before }, { start: end, end, text: after })
      new Visitor({
        CallExpression({ callee, arguments: [given] }) {
          if (callee.type !== 'Identifier' || !given) return
          // Of the schema it needs but the type.
          if (callee.name === 'fieldsOf') changes.push({ start: given.start, end: given.end, text: 'undefined' })
          if (callee.name !== 'endpoint' || given.type !== 'ObjectExpression') return
          for (const part of given.properties) {
            if (part.type !== 'Property' || part.key.type !== 'Identifier' || !UNASKED.includes(part.key.name)) continue
            const { start, end } = part.value
            if (!HOW_IT_IS_READ.includes(code.slice(start, end))) changes.push({ start, end, text: 'undefined' })
          }
        },
      }).visit(this.parse(code))
      for (const statement of this.parse(code).body) {
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (declared?.type !== 'VariableDeclaration') continue
        for (const { init } of declared.declarations) {
          if (!init || !MADE.includes(init.type)) continue
          const schemas = schemasIn(init)
          if (schemas[0] !== init) around(init, '/* @__PURE__ */ (() => (', '))()')
          for (const schema of schemas) around(schema, '/* @__PURE__ */ onDemand(() => ', ')')
        }
      }
      let changed = code
      for (const { start, end, text } of changes.toSorted((a, b) => b.start - a.start))
        changed = changed.slice(0, start) + text + changed.slice(end)
      return { code: `import { onDemand } from ${JSON.stringify(ON_DEMAND)}\n${changed}`, map: null }
    },
  },
}

/** Mantine finds another id for whatever has one as soon as it is drawn, and draws it again: React's own will do. */
const oneId: Plugin = {
  name: 'one-id',
  apply: 'build',
  transform: {
    filter: { id: /@mantine.hooks.esm.use-id.use-id\.mjs$/ },
    handler: () => ({
      code: `import { useId as useOwn } from 'react'
        export function useId(given) {
          const own = useOwn()
          return typeof given === 'string' ? given : own
        }`,
      map: null,
    }),
  },
}

/** Mantine guesses how the screen is and looks after drawing, in every dropdown and button; and draws again where it guessed wrong. */
const seenAtOnce: Plugin = {
  name: 'seen-at-once',
  apply: 'build',
  transform: {
    filter: { id: /@mantine.hooks.esm.use-media-query.use-media-query\.mjs$/ },
    handler: () => ({
      code: `import { useCallback, useSyncExternalStore } from 'react'
        const lists = new Map()
        const listOf = (query) => {
          if (!lists.has(query)) lists.set(query, window.matchMedia(query))
          return lists.get(query)
        }
        export function useMediaQuery(query) {
          const watch = useCallback((changed) => {
            const list = listOf(query)
            list.addEventListener('change', changed)
            return () => list.removeEventListener('change', changed)
          }, [query])
          return useSyncExternalStore(watch, () => listOf(query).matches)
        }`,
      map: null,
    }),
  },
}

export default defineConfig({
  root: import.meta.dirname,
  server: { proxy: { '/api': API } },
  preview: { proxy: { '/api': API } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The shell is one file on purpose; its budget is 200 kB compressed.
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/shell-entry-[hash].js',
        chunkFileNames: 'assets/[name]-[hash].js',
        // All that the first paint needs in one file with a name the service worker can tell from the screens'.
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 2 },
            // What whoever comes in sees first, in one file too, and without what one types into.
            { name: 'home', test: /shell.home.(home|owner|chief)\.tsx/, priority: 1 },
            // What many screens are made of, fetched once instead of in thirty small files at each first visit.
            {
              name: 'common',
              test: /node_modules.(@mantine|@tabler|react-hook-form)|src.(ui|platform|frames).|contract.src|src.[\w-]+.[\w-]+\.ts$/,
              minShareCount: 4,
            },
          ],
        },
      },
    },
  },
  plugins: [
    react(),
    firstPaint,
    besideShell,
    compiledAside,
    onlyAsked,
    oneId,
    seenAtOnce,
    VitePWA({
      filename: 'serviceWorker.js',
      registerType: 'prompt',
      injectRegister: false,
      manifest: {
        name: 'Maestranza',
        short_name: 'Maestranza',
        description: 'Órdenes de trabajo, equipos, bodega y costos del taller',
        lang: 'es-CL',
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: schemes.dark.app,
        theme_color: schemes.dark.panel,
        icons: [
          { src: '/icons/mark.svg', sizes: 'any', type: 'image/svg+xml' },
          { src: '/icons/mark-192.png', sizes: '192x192', type: 'image/png' },
          { src: '/icons/mark-512.png', sizes: '512x512', type: 'image/png' },
          { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
      },
      includeManifestIcons: false,
      workbox: {
        // Only what the shell needs to open; screens are kept once they have been visited.
        globPatterns: [
          'index.html',
          'first.js',
          'icons/mark.svg',
          'assets/shell-*.js',
          'assets/home-*.js',
          'assets/{index,home}-*.css',
          'assets/inter-latin-wght-*.woff2',
        ],
        navigateFallback: '/index.html',
        navigateFallbackDenylist: [/^\/api\//],
        cleanupOutdatedCaches: true,
        // From the first visit on, so that the screens of that visit are kept too.
        clientsClaim: true,
        runtimeCaching: [
          {
            urlPattern: ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
            handler: 'CacheFirst',
            options: { cacheName: 'screens', expiration: { maxEntries: 120, maxAgeSeconds: 60 * 60 * 24 * 60 } },
          },
        ],
      },
    }),
  ],
})
