import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
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
            // What many screens are made of, fetched once instead of in thirty small files at each first visit.
            {
              name: 'common',
              test: /node_modules.(@mantine|@tabler|react-hook-form)|src.(ui|platform)./,
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
          'theme.js',
          'icons/mark.svg',
          'assets/shell-*.js',
          'assets/index-*.css',
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
