// How things are drawn.
import {
  Color, DoubleSide, FrontSide, LineBasicMaterial, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, ShaderMaterial,
} from "three";

export type Surface = MeshStandardMaterial | MeshLambertMaterial;

let modest = false;

/** Without a graphics card: surfaces that cost the processor less. Said before the first surface is made. */
export function drawModestly(on: boolean): void {
  modest = on;
}

export function surface(): Surface {
  const common = { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
  return modest ? new MeshLambertMaterial(common) : new MeshStandardMaterial({ roughness: 0.5, metalness: 0.0, ...common });
}

/** Of what has no end: it fades out by the fourth number of each vertex's colour. */
export function endless(): Surface {
  const material = surface();
  material.vertexColors = true;
  material.transparent = true;
  material.depthWrite = false;
  return material;
}

export function wire(): MeshBasicMaterial {
  return new MeshBasicMaterial({ wireframe: true, transparent: true, opacity: 0.22, depthWrite: false });
}

/** A body where it was or will be: clear in the middle, drawn by its outline. */
export function ghost(): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, depthWrite: false, side: FrontSide, clipping: true,
    uniforms: { color: { value: new Color() }, strength: { value: 1 } },
    vertexShader: /* glsl */ `
      #include <clipping_planes_pars_vertex>
      varying vec3 vNormal; varying vec3 vView;
      void main() {
        vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
        vNormal = normalMatrix * normal;
        vView = -mvPosition.xyz;
        gl_Position = projectionMatrix * mvPosition;
        #include <clipping_planes_vertex>
      }`,
    fragmentShader: /* glsl */ `
      #include <clipping_planes_pars_fragment>
      uniform vec3 color; uniform float strength;
      varying vec3 vNormal; varying vec3 vView;
      void main() {
        #include <clipping_planes_fragment>
        float facing = abs(dot(normalize(vNormal), normalize(vView)));
        float rim = pow(1.0 - facing, 2.0);
        gl_FragColor = vec4(color, strength * mix(0.10, 0.62, rim));
        #include <colorspace_fragment>
      }`,
  });
}

/**
 * Touching triangles, near the contact only: of a coarse mesh half a box would be red otherwise. Each corner carries the
 * contact of its triangle as `place`.
 */
export function touch(opacity: number, radius: number): ShaderMaterial {
  return new ShaderMaterial({
    transparent: true, depthWrite: false, side: DoubleSide,
    uniforms: { color: { value: new Color() }, opacity: { value: opacity }, radius: { value: radius } },
    vertexShader: /* glsl */ `
      attribute vec3 place;
      varying vec3 vFromContact;
      void main() {
        vFromContact = position - place;
        gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: /* glsl */ `
      uniform vec3 color; uniform float opacity; uniform float radius;
      varying vec3 vFromContact;
      void main() {
        float away = length(vFromContact) / radius;
        if (away > 1.0) discard;
        gl_FragColor = vec4(color, opacity * (1.0 - 0.55 * smoothstep(0.2, 1.0, away)));
        #include <colorspace_fragment>
      }`,
  });
}

/** Drawn twice: solid where it is seen, faint where something is in front. */
export function mark(opacity = 1): MeshBasicMaterial {
  return new MeshBasicMaterial({ transparent: true, opacity, side: DoubleSide, toneMapped: false });
}

export function lines(opacity: number): LineBasicMaterial {
  return new LineBasicMaterial({ transparent: true, opacity, depthWrite: false });
}
