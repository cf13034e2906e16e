// SPDX-License-Identifier: MIT
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { MirrorContext } from './stream/hooks';
import { Mirror } from './stream/mirror';
import { eventSource } from './stream/source';
import { applyTheme } from './theme/theme';
import 'virtual:tokens.css';
import 'uplot/dist/uPlot.min.css';
import './theme/style.css';

applyTheme();
const mirror = new Mirror();
mirror.follow(eventSource('events'));

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <MirrorContext.Provider value={mirror}>
        <App />
      </MirrorContext.Provider>
    </StrictMode>,
  );
