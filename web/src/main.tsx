import './ui/mantine-styles.ts'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, Suspense, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { calm } from './platform/calm.ts'
import { queryClient } from './platform/queries.ts'
import { registerServiceWorker } from './platform/service-worker.ts'
import { isLoggedIn } from './platform/session.ts'
import { onKeptElsewhere } from './platform/storage.ts'
import { router } from './router.tsx'
import { Confirm } from './ui/confirm.tsx'
import { ErrorBoundary } from './ui/error-boundary.tsx'
import { lazy } from './ui/lazy.ts'
import { printInInk } from './ui/print.ts'
import { Snackbar } from './ui/snackbar.tsx'
import { guardTaps } from './ui/tap-guard.ts'
import { cssVariables, theme } from './ui/theme.ts'

// Logging out in one tab logs out in all.
onKeptElsewhere('token', () => {
  if (!isLoggedIn()) window.location.assign('/login')
})

// Compiling schemas needs eval, which the page is not allowed.
z.config({ jitless: true })

const HouseBanner = lazy(() => calm.then(() => import('./shell/house-banner.tsx')))

// In pieces, so that a slow machine answers meanwhile.
startTransition(() =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="dark"
        colorSchemeManager={localStorageColorSchemeManager({ key: 'maestranza.theme' })}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Confirm />
          <Snackbar />
          {/* It comes after the screen, maybe when the line is gone: no reason to lose the screen. */}
          <ErrorBoundary instead={null}>
            <Suspense fallback={null}>
              <HouseBanner />
            </Suspense>
          </ErrorBoundary>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
)

printInInk()
guardTaps()
// Not beside the first screen: it fetches the shell once more.
void calm.then(registerServiceWorker)
